package dev.parley.mcp.hook;

import com.sun.net.httpserver.HttpExchange;
import dev.parley.coordination.fold.Fields;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.mcp.http.Responses;
import dev.parley.mcp.http.Route;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Answers hooks posted by hosts: {@code /hook/<host>}, or {@code /hook/<host>/<event>}. */
public final class HookRoute implements Route {
  private final Function<String, HookRules> rules;

  /**
   * Creates the route for all agents.
   *
   * @param rules the rules for an agent
   */
  public HookRoute(Function<String, HookRules> rules) {
    this.rules = rules;
  }

  @Override
  public void handle(HttpExchange exchange, String agent, byte[] body) throws IOException {
    if (!exchange.getRequestMethod().equals("POST")) {
      exchange.getResponseHeaders().set("Allow", "POST");
      exchange.sendResponseHeaders(405, -1);
      return;
    }
    List<String> path = List.of(exchange.getRequestURI().getPath().split("/", -1));
    Host host = path.size() > 2 ? Host.find(path.get(2)) : null;
    Responses.json(
        exchange,
        200,
        host == null
            ? Json.EMPTY_OBJECT
            : answer(host, path.size() > 3 ? path.get(3) : null, agent, body));
  }

  /** Every error becomes an answer that lets the agent continue. */
  private Json answer(Host host, @Nullable String event, String agent, byte[] body) {
    try {
      HookEvent told = HookEvent.of(host, event, Fields.of(Json.parse(body, Json.DEFAULT_DEPTH)));
      return rules.apply(agent).answer(told).write(told);
    } catch (JsonException | ParleyException e) {
      return Json.EMPTY_OBJECT;
    }
  }
}
