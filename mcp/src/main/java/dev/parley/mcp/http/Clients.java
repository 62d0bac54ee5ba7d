package dev.parley.mcp.http;

import dev.parley.core.json.Json;
import dev.parley.mcp.protocol.Connection;
import dev.parley.mcp.protocol.Outlet;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The connected clients of the handshake era, by assigned id. */
final class Clients {
  /** How many are kept; the one that was silent for longest is dropped first. */
  static final int MOST = 1_000;

  private final SecureRandom random = new SecureRandom();

  private final Map<String, Client> clients = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * A connection, and the client's stream for messages that belong to no request, if it opened one.
   */
  static final class Client implements Outlet {
    private final String agent;
    private final Connection connection = new Connection(this);
    private volatile @Nullable EventStream stream;

    Client(String agent) {
      this.agent = agent;
    }

    Connection connection() {
      return connection;
    }

    void listenOn(EventStream events) {
      stream = events;
    }

    @Override
    public boolean send(Json message) {
      EventStream events = stream;
      return events != null && events.send(message);
    }
  }

  /** Adds a client and returns its id. */
  synchronized String add(Client client) {
    byte[] bytes = new byte[20];
    random.nextBytes(bytes);
    String id = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    clients.put(id, client);
    if (clients.size() > MOST) {
      remove(clients.keySet().iterator().next());
    }
    return id;
  }

  /** The client with an id, if it is this agent's. */
  synchronized @Nullable Client find(@Nullable String id, String agent) {
    Client client = id == null ? null : clients.get(id);
    return client == null || !client.agent.equals(agent) ? null : client;
  }

  synchronized void remove(String id) {
    Client client = clients.remove(id);
    if (client != null) {
      client.connection.close();
    }
  }

  synchronized void close() {
    clients.values().forEach(client -> client.connection.close());
    clients.clear();
  }
}
