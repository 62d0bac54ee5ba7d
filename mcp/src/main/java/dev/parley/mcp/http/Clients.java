package dev.parley.mcp.http;

import dev.parley.core.json.Json;
import dev.parley.mcp.protocol.ClientOutput;
import dev.parley.mcp.protocol.Connection;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The connected clients of the handshake era, by agent and assigned id. */
final class Clients {
  private final SecureRandom random = new SecureRandom();
  private final int most;
  private final Map<String, Map<String, Client>> agents = new HashMap<>();

  /**
   * @param most how many of one agent are kept; the one that was silent for longest is dropped
   *     first
   */
  Clients(int most) {
    this.most = most;
  }

  /**
   * A connection, and the client's stream for messages that belong to no request, if it opened one.
   */
  static final class Client implements ClientOutput {
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
    Map<String, Client> own =
        agents.computeIfAbsent(client.agent, _ -> new LinkedHashMap<>(16, 0.75f, true));
    own.put(id, client);
    if (own.size() > most) {
      remove(own.keySet().iterator().next(), client.agent);
    }
    return id;
  }

  /** The client with an id, if it is this agent's. */
  synchronized @Nullable Client find(@Nullable String id, String agent) {
    Map<String, Client> own = agents.get(agent);
    return id == null || own == null ? null : own.get(id);
  }

  synchronized void remove(String id, String agent) {
    Map<String, Client> own = agents.get(agent);
    Client client = own == null ? null : own.remove(id);
    if (client != null) {
      client.connection.close();
    }
  }

  synchronized void close() {
    agents.values().forEach(own -> own.values().forEach(client -> client.connection.close()));
    agents.clear();
  }
}
