package dev.parley.mcp.protocol;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The clients that want to be told of changes. */
final class Listeners {
  private static final String SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";

  /** Connections of the handshake era. */
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();

  private final Set<Listener> listeners = ConcurrentHashMap.newKeySet();

  /** A {@code subscriptions/listen} of the stateless era. */
  private record Listener(Json id, Call call, Fields wanted) {
    /** Sends nothing once the client has cancelled. */
    synchronized boolean tell(String method, @Nullable Json extra) {
      if (call.isCancelled()) {
        return false;
      }
      Json meta = Json.object().put(SUBSCRIPTION, id).build();
      Json.ObjectBuilder params = Json.object().put("_meta", meta);
      if (extra != null) {
        extra.fields().forEach(params::put);
      }
      return call.stream().send(Connection.notification(method, params.build()));
    }
  }

  /** The resources whose changes a {@code subscriptions/listen} asks for. */
  static List<String> wantedResources(Call listen) {
    return listen.params().object("notifications").texts("resourceSubscriptions");
  }

  void add(Connection connection) {
    connections.removeIf(Connection::isClosed);
    connections.add(connection);
  }

  /**
   * Sends changes on the stream of a call until it is cancelled.
   *
   * <p>A client may change something as soon as it has read the acknowledgement, and must be told
   * of that, so the listener is there before. Its lock keeps the acknowledgement the first message.
   */
  void listen(Json id, Call call) throws InterruptedException {
    Fields wanted = call.params().object("notifications");
    Listener listener = new Listener(id, call, wanted);
    Json accepted = Json.object().put("notifications", Json.object().build()).build();
    Json asked = call.params().json("notifications");
    if (asked != null) {
      accepted = Json.object().put("notifications", asked).build();
    }
    try {
      synchronized (listener) {
        listeners.add(listener);
        if (!listener.tell("notifications/subscriptions/acknowledged", accepted)) {
          return;
        }
      }
      while (!call.awaitCancel(60_000)) {
        // The call is cancelled, or its connection is closed.
      }
    } finally {
      listeners.remove(listener);
    }
  }

  /**
   * Tells clients that a list has changed.
   *
   * @param what tools, prompts or resources
   */
  void changed(String what) {
    String method = "notifications/" + what + "/list_changed";
    connections.removeIf(Connection::isClosed);
    for (Connection connection : connections) {
      var _ = connection.outlet().send(Connection.notification(method, null));
    }
    for (Listener listener : listeners) {
      if (listener.wanted().flag(what + "ListChanged")) {
        var _ = listener.tell(method, null);
      }
    }
  }

  void updated(String uri) {
    String method = "notifications/resources/updated";
    Json params = Json.object().put("uri", uri).build();
    for (Connection connection : List.copyOf(connections)) {
      if (connection.watched().contains(uri)) {
        var _ = connection.outlet().send(Connection.notification(method, params));
      }
    }
    for (Listener listener : listeners) {
      if (wantedResources(listener.call()).contains(uri)) {
        var _ = listener.tell(method, params);
      }
    }
  }
}
