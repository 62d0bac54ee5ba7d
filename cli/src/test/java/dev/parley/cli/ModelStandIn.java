package dev.parley.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Stands in for the model behind Claude Code: it makes the calls of tools that it was told to make,
 * one a turn, and keeps what it was sent.
 */
final class ModelStandIn implements AutoCloseable {
  /** A call of a tool. */
  record ToolCall(String tool, Json input) {}

  private final HttpServer server;
  private final Queue<ToolCall> calls;
  private final Queue<String> received = new ConcurrentLinkedQueue<>();

  ModelStandIn(List<ToolCall> script) throws IOException {
    calls = new ConcurrentLinkedQueue<>(script);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** All that the model would have seen. */
  String received() {
    return String.join("\n", received);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      boolean isTurn =
          exchange.getRequestURI().getPath().equals("/v1/messages")
              && body.contains("\"tools\":[{");
      if (exchange.getRequestURI().getPath().contains("count_tokens")) {
        send(exchange, "application/json", "{\"input_tokens\":1}");
        return;
      }
      received.add(body);
      ToolCall call = isTurn ? calls.poll() : null;
      send(exchange, "text/event-stream", call == null ? text() : toolUse(call));
    }
  }

  private static void send(HttpExchange exchange, String type, String text) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    byte[] bytes = text.getBytes(UTF_8);
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private static String text() {
    return message(
        "{\"type\":\"text\",\"text\":\"\"}",
        "{\"type\":\"text_delta\",\"text\":\"done\"}",
        "end_turn");
  }

  private String toolUse(ToolCall call) {
    String block =
        Json.object()
            .put("type", "tool_use")
            .put("id", "toolu_" + calls.size())
            .put("name", call.tool())
            .put("input", Json.EMPTY_OBJECT)
            .build()
            .toString();
    String delta =
        Json.object()
            .put("type", "input_json_delta")
            .put("partial_json", call.input().toString())
            .build()
            .toString();
    return message(block, delta, "tool_use");
  }

  private static String message(String block, String delta, String stop) {
    return event(
            "message_start",
            "\"message\":{\"id\":\"msg\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"m\","
                + "\"content\":[],\"stop_reason\":null,\"stop_sequence\":null,"
                + "\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}")
        + event("content_block_start", "\"index\":0,\"content_block\":" + block)
        + event("content_block_delta", "\"index\":0,\"delta\":" + delta)
        + event("content_block_stop", "\"index\":0")
        + event(
            "message_delta",
            "\"delta\":{\"stop_reason\":\""
                + stop
                + "\",\"stop_sequence\":null},\"usage\":{\"output_tokens\":1}")
        + event("message_stop", "\"end\":true");
  }

  private static String event(String type, String fields) {
    return "event: " + type + "\ndata: {\"type\":\"" + type + "\"," + fields + "}\n\n";
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
