package dev.parley.mcp.http;

import dev.parley.core.json.Json;
import dev.parley.mcp.protocol.Connection;
import dev.parley.mcp.protocol.Outlet;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The clients of the handshake era that are connected, by the id that each was given. */
final class Clients {
  /** How many are remembered; the one that was silent for longest goes first. */
  static final int MOST = 1_000;

  private final SecureRandom random = new SecureRandom();

  private final Map<String, Client> clients = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * A connection, and the stream that the client may have opened for what belongs to no request.
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

  /** Takes a client in; answers its id. */
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

  /** The client of an id, if it is this agent's. */
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
