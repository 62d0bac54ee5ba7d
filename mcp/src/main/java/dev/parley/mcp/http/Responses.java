package dev.parley.mcp.http;

import com.sun.net.httpserver.HttpExchange;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Writes short responses. */
public final class Responses {
  private Responses() {}

  public static void json(HttpExchange exchange, int status, Json body) throws IOException {
    byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  static void error(HttpExchange exchange, int status, String code, String message, String next)
      throws IOException {
    json(
        exchange,
        status,
        Json.object().put("error", code).put("message", message).put("next", next).build());
  }
}
