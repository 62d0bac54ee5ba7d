package dev.parley.mcp.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** An HTTP server for agents on this machine. */
public final class LocalServer implements AutoCloseable {
  private static final int BACKLOG = 256;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Settings settings;
  private final RateLimit rate;
  private final UnansweredRequests unanswered;
  private final Map<String, Route> routes;

  /**
   * The limits and checks for requests.
   *
   * @param access null to accept every request, without an agent
   */
  public record Settings(
      InetSocketAddress address, HostCheck hosts, @Nullable Access access, AgentLimits limits) {}

  private LocalServer(HttpServer server, Settings settings, Map<String, Route> routes) {
    this.server = server;
    this.settings = settings;
    this.rate = new RateLimit(settings.limits().perSecond(), System::nanoTime);
    this.unanswered = new UnansweredRequests(settings.limits().open());
    this.routes = routes;
  }

  /**
   * Starts the server.
   *
   * @param routes by path; each also gets the paths below it
   * @throws IOException if the address is not available
   */
  public static LocalServer start(Settings settings, Map<String, Route> routes) throws IOException {
    // Without this, a small answer waits 40 ms for the client's acknowledgement of its headers.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    HttpServer server = HttpServer.create(settings.address(), BACKLOG);
    LocalServer started = new LocalServer(server, settings, routes);
    server.createContext("/", started::handle);
    server.setExecutor(started.threads);
    server.start();
    return started;
  }

  public int port() {
    return server.getAddress().getPort();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      // Once it is asked for, closing reads the rest of a short body. Otherwise a refused client
      // could lose the answer, because its connection is reset.
      var _ = exchange.getRequestBody();
      HostCheck hosts = settings.hosts();
      if (!hosts.isHost(exchange.getRequestHeaders().get("Host"))
          || !hosts.isOrigin(exchange.getRequestHeaders().get("Origin"))) {
        Responses.error(
            exchange,
            403,
            "foreign-host",
            "The Host or Origin of this request is not this machine.",
            "Use http://127.0.0.1, or start parley serve with --allow-host.");
        return;
      }
      Access access = settings.access();
      String agent =
          access == null
              ? ""
              : access.agent(only(exchange.getRequestHeaders().get("Authorization")));
      if (agent == null) {
        exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
        Responses.error(
            exchange,
            401,
            "no-token",
            "This request has no valid token.",
            "Send the header Authorization: Bearer with what parley serve token <agent> prints.");
        return;
      }
      if (!rate.take(agent)) {
        refuse(
            exchange,
            "too-many-requests",
            "This agent sends requests faster than it may.",
            "Wait a second, or start parley serve with a higher --rate.");
        return;
      }
      if (!unanswered.begin(agent)) {
        refuse(
            exchange,
            "too-many-open",
            "This agent has as many unanswered requests as it may.",
            "Wait for an answer, or start parley serve with a higher --max-open.");
        return;
      }
      try {
        answer(exchange, agent);
      } finally {
        unanswered.end(agent);
      }
    }
  }

  private static void refuse(HttpExchange exchange, String code, String message, String next)
      throws IOException {
    exchange.getResponseHeaders().set("Retry-After", "1");
    Responses.error(exchange, 429, code, message, next);
  }

  private void answer(HttpExchange exchange, String agent) throws IOException {
    int most = settings.limits().bytes();
    byte[] body = exchange.getRequestBody().readNBytes(most + 1);
    if (body.length > most) {
      Responses.error(
          exchange,
          413,
          "too-long",
          "A request can have at most " + most + " bytes.",
          "Put what is long into a file, and send its path; or start parley serve with a higher"
              + " --max-bytes.");
      return;
    }
    route(exchange, agent, body);
  }

  private void route(HttpExchange exchange, String agent, byte[] body) throws IOException {
    String path = exchange.getRequestURI().getPath();
    for (Map.Entry<String, Route> route : routes.entrySet()) {
      if (path.equals(route.getKey()) || path.startsWith(route.getKey() + "/")) {
        route.getValue().handle(exchange, agent, body);
        return;
      }
    }
    Responses.error(
        exchange,
        404,
        "no-such-address",
        "There is nothing at this address.",
        "The MCP server is at /mcp.");
  }

  private static @Nullable String only(@Nullable List<String> values) {
    return values == null || values.size() != 1 ? null : values.getFirst();
  }

  @Override
  public void close() {
    routes.values().forEach(Route::close);
    server.stop(0);
    threads.shutdown();
  }
}
