package dev.parley.mcp.protocol;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A connected client. In the handshake era a connection keeps what was agreed. A request of the
 * stateless era only uses it to keep track of running calls.
 */
public final class Connection {
  private static final long ASK_SECONDS = 300;

  private final ClientOutput outlet;
  private final Map<String, Call> running = new ConcurrentHashMap<>();
  private final Map<String, CompletableFuture<Json>> asked = new ConcurrentHashMap<>();
  private final AtomicLong count = new AtomicLong();
  private final Set<String> watched = ConcurrentHashMap.newKeySet();
  private volatile Fields capabilities = Fields.of(null);
  private volatile LogLevel level = LogLevel.INFO;
  private volatile boolean initialized;
  private volatile boolean closed;

  /**
   * Creates a new connection.
   *
   * @param outlet receives messages that belong to no request
   */
  public Connection(ClientOutput outlet) {
    this.outlet = outlet;
  }

  /** Ends all running calls, because no client is left to get their answers. */
  public void close() {
    closed = true;
    running.values().forEach(Call::cancel);
    asked.values().forEach(waiting -> waiting.cancel(false));
  }

  public boolean isClosed() {
    return closed;
  }

  void initialize(Fields clientCapabilities) {
    capabilities = clientCapabilities;
    initialized = true;
  }

  boolean isInitialized() {
    return initialized;
  }

  ClientOutput outlet() {
    return outlet;
  }

  Fields capabilities() {
    return capabilities;
  }

  LogLevel level() {
    return level;
  }

  void level(LogLevel least) {
    level = least;
  }

  Set<String> watched() {
    return watched;
  }

  void begin(Json id, Call call) {
    running.put(id.toString(), call);
    if (closed) {
      call.cancel();
    }
  }

  void end(Json id, Call call) {
    running.remove(id.toString(), call);
  }

  void cancel(Json id) {
    Call call = running.get(id.toString());
    if (call != null) {
      call.cancel();
    }
  }

  /** Receives the client's answer to one of our requests. */
  void answered(Json id, Fields message) {
    CompletableFuture<Json> waiting = asked.remove(id.toString());
    Json result = message.json("result");
    if (waiting == null) {
      return;
    }
    if (result == null) {
      waiting.completeExceptionally(
          RpcException.of(RpcException.INTERNAL_ERROR, "The client refused what it was asked"));
    } else {
      waiting.complete(result);
    }
  }

  /** Sends a request to the client, on the stream of the call that needs it. */
  Json ask(ClientOutput stream, String method, Json params) throws InterruptedException {
    Json id = Json.of("ask-" + count.incrementAndGet());
    CompletableFuture<Json> waiting = new CompletableFuture<>();
    asked.put(id.toString(), waiting);
    Json request =
        Json.object()
            .put("jsonrpc", "2.0")
            .put("id", id)
            .put("method", method)
            .put("params", params)
            .build();
    try {
      if (!stream.send(request) || closed) {
        throw RpcException.of(RpcException.INTERNAL_ERROR, "The client is gone");
      }
      return waiting.get(ASK_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RpcException refused ? refused : noAnswer();
    } catch (TimeoutException e) {
      throw noAnswer();
    } finally {
      asked.remove(id.toString());
    }
  }

  private static RpcException noAnswer() {
    return RpcException.of(RpcException.INTERNAL_ERROR, "The client did not answer");
  }

  /** The message of a notification. */
  static Json notification(String method, @Nullable Json params) {
    Json.ObjectBuilder message = Json.object().put("jsonrpc", "2.0").put("method", method);
    return params == null ? message.build() : message.put("params", params).build();
  }
}
