package dev.parley.mcp.http;

import com.sun.net.httpserver.HttpExchange;
import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.mcp.http.Clients.Client;
import dev.parley.mcp.protocol.ClientOutput;
import dev.parley.mcp.protocol.Connection;
import dev.parley.mcp.protocol.Engine;
import dev.parley.mcp.protocol.Response;
import dev.parley.mcp.protocol.Revision;
import dev.parley.mcp.protocol.RpcException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Streamable HTTP: one address that accepts messages and answers with JSON or an event stream. */
public final class McpEndpoint implements Route {
  private static final String SESSION = "Mcp-Session-Id";
  private static final String VERSION = "MCP-Protocol-Version";
  private static final String METHOD = "Mcp-Method";
  private static final String NAME = "Mcp-Name";
  private static final String ENCODED = "=?base64?";
  private static final long KEEP_ALIVE_MILLIS = 15_000;

  private final Function<String, Engine> engines;
  private final Clients clients;

  /**
   * Creates the endpoint for all agents.
   *
   * @param engines the engine for an agent
   */
  public McpEndpoint(Function<String, Engine> engines, AgentLimits limits) {
    this.engines = engines;
    this.clients = new Clients(limits.clients());
  }

  @Override
  public void handle(HttpExchange exchange, String agent, byte[] body) throws IOException {
    switch (exchange.getRequestMethod()) {
      case "POST" -> post(exchange, agent, body);
      case "GET" -> listen(exchange, agent);
      case "DELETE" -> end(exchange, agent);
      default -> notAllowed(exchange);
    }
  }

  private static void notAllowed(HttpExchange exchange) throws IOException {
    exchange.getResponseHeaders().set("Allow", "POST, GET, DELETE");
    exchange.sendResponseHeaders(405, -1);
  }

  private void post(HttpExchange exchange, String agent, byte[] body) throws IOException {
    Json message;
    try {
      message = Json.parse(body, Json.DEFAULT_DEPTH);
    } catch (JsonException e) {
      RpcException error = RpcException.malformed(RpcException.PARSE_ERROR, "The body is not JSON");
      respond(exchange, Response.error(Json.NULL, error));
      return;
    }
    String revision = header(exchange, VERSION);
    if (Engine.isStateless(message, revision) && Fields.of(message).json("id") != null) {
      stateless(exchange, agent, message, revision);
      return;
    }
    Fields fields = Fields.of(message);
    boolean begins = "initialize".equals(fields.text("method"));
    String id = header(exchange, SESSION);
    Client client = begins ? new Client(agent) : clients.find(id, agent);
    if (client == null) {
      String what =
          id == null ? "Begin with initialize, and send Mcp-Session-Id" : "Session not found";
      RpcException error = RpcException.malformed(RpcException.INVALID_REQUEST, what);
      Response answer = Response.error(idOf(fields), error);
      respond(exchange, id == null ? answer : new Response(404, answer.message(), answer.sent()));
      return;
    }
    if (!begins && revision != null && !Revision.isHandshake(revision)) {
      RpcException error =
          RpcException.malformed(RpcException.INVALID_REQUEST, "Unsupported protocol version");
      respond(exchange, Response.error(idOf(fields), error));
      return;
    }
    EventStream stream = new EventStream(exchange);
    Response answer = engines.apply(agent).answer(message, client.connection(), stream, revision);
    if (begins && answer.status() == 200) {
      exchange.getResponseHeaders().set(SESSION, clients.add(client));
    }
    // In the handshake era, errors are ordinary answers.
    respond(
        exchange,
        stream,
        new Response(answer.message() == null ? 202 : 200, answer.message(), answer.sent()));
  }

  private static Json idOf(Fields message) {
    Json id = message.json("id");
    return id == null ? Json.NULL : id;
  }

  private void stateless(
      HttpExchange exchange, String agent, Json message, @Nullable String revision)
      throws IOException {
    RpcException mismatch = mismatch(exchange, Fields.of(message), revision);
    if (mismatch != null) {
      respond(exchange, Response.error(idOf(Fields.of(message)), mismatch));
      return;
    }
    EventStream stream = new EventStream(exchange);
    Connection connection = new Connection(ClientOutput.NONE);
    boolean listens = "subscriptions/listen".equals(Fields.of(message).text("method"));
    Thread pulse = listens ? pulse(stream, connection) : null;
    try {
      respond(exchange, stream, engines.apply(agent).answer(message, connection, stream, revision));
    } finally {
      connection.close();
      if (pulse != null) {
        pulse.interrupt();
      }
    }
  }

  /** Ends a connection when its client no longer reads. */
  private static Thread pulse(EventStream stream, Connection connection) {
    return Thread.startVirtualThread(() -> {
      try {
        do {
          Thread.sleep(KEEP_ALIVE_MILLIS);
        } while (stream.keepAlive());
      } catch (InterruptedException e) {
        return; // the answer is complete
      }
      connection.close();
    });
  }

  /** Where the headers contradict the message; null if they agree. */
  private static @Nullable RpcException mismatch(
      HttpExchange exchange, Fields message, @Nullable String revision) {
    Fields params = message.object("params");
    String version = params.object("_meta").text("io.modelcontextprotocol/protocolVersion");
    if (version != null && !version.equals(revision)) {
      return disagree(VERSION);
    }
    String method = message.text("method", "");
    if (version != null && !method.equals(header(exchange, METHOD))) {
      return disagree(METHOD);
    }
    String name =
        switch (method) {
          case "tools/call", "prompts/get" -> params.text("name");
          case "resources/read" -> params.text("uri");
          default -> null;
        };
    if (version != null && name != null && !name.equals(decoded(header(exchange, NAME)))) {
      return disagree(NAME);
    }
    return null;
  }

  private static RpcException disagree(String header) {
    return RpcException.malformed(
        RpcException.HEADER_MISMATCH, "The header " + header + " does not say what the body says");
  }

  private static @Nullable String decoded(@Nullable String value) {
    if (value == null || !value.startsWith(ENCODED) || !value.endsWith("?=")) {
      return value;
    }
    try {
      String text = value.substring(ENCODED.length(), value.length() - 2);
      return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static @Nullable String header(HttpExchange exchange, String name) {
    List<String> values = exchange.getRequestHeaders().get(name);
    return values == null || values.size() != 1 ? null : values.getFirst().strip();
  }

  private static void respond(HttpExchange exchange, Response answer) throws IOException {
    respond(exchange, new EventStream(exchange), answer);
  }

  private static void respond(HttpExchange exchange, EventStream stream, Response answer)
      throws IOException {
    Json message = answer.message();
    if (stream.isOpen()) {
      if (message != null && stream.send(message)) {
        answer.sent().run();
      }
      return;
    }
    if (message == null) {
      exchange.sendResponseHeaders(202, -1);
      return;
    }
    Responses.json(exchange, answer.status(), message);
    answer.sent().run();
  }

  /** Opens the stream for messages that belong to no request. */
  private void listen(HttpExchange exchange, String agent) throws IOException {
    Client client = clients.find(header(exchange, SESSION), agent);
    if (client == null) {
      notAllowed(exchange);
      return;
    }
    EventStream stream = new EventStream(exchange);
    stream.open();
    client.listenOn(stream);
    try {
      while (!client.connection().isClosed() && stream.keepAlive()) {
        Thread.sleep(KEEP_ALIVE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void end(HttpExchange exchange, String agent) throws IOException {
    String id = header(exchange, SESSION);
    if (id == null || clients.find(id, agent) == null) {
      exchange.sendResponseHeaders(id == null ? 405 : 404, -1);
      return;
    }
    clients.remove(id, agent);
    exchange.sendResponseHeaders(204, -1);
  }

  @Override
  public void close() {
    clients.close();
  }
}
