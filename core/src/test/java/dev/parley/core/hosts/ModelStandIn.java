package dev.parley.core.hosts;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An HTTP server that replaces the models. It speaks the protocols of Anthropic (messages), OpenAI
 * (responses, chat completions) and Gemini (generateContent), streamed or not, and gives the
 * answers of a script.
 */
public final class ModelStandIn implements AutoCloseable {
  /** The protocol of a request. */
  public enum Api {
    ANTHROPIC,
    OPENAI,
    GEMINI
  }

  /**
   * One request to the model.
   *
   * @param prompt the user's text, with the text that the host put around it
   * @param step the number of tool calls in this conversation so far
   * @param hasTools whether tools were offered; hosts ask for titles and the like without
   * @param body the whole request
   */
  public record Turn(Api api, String prompt, int step, boolean hasTools, String body) {}

  /** What the model answers. */
  public sealed interface Reply {
    /** A text that ends the turn. */
    record Text(String text) implements Reply {}

    /** A call of a tool of the host, which then sends the result in another request. */
    record ToolCall(String tool, Json input) implements Reply {}
  }

  /** Decides what the model answers; called by many threads. */
  public interface Script {
    Reply reply(Turn turn);
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Script script;
  private final Queue<Turn> received = new ConcurrentLinkedQueue<>();
  private final AtomicInteger calls = new AtomicInteger();

  public ModelStandIn(Script script) throws IOException {
    this.script = script;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
  }

  /** Makes these tool calls, one a request, then says that it is done. */
  public static Script calling(Reply.ToolCall... calls) {
    return turn ->
        turn.hasTools() && turn.step() < calls.length ? calls[turn.step()] : new Reply.Text("done");
  }

  /** The address for clients that add the version of the protocol themselves. */
  public String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** The turns so far. */
  public List<Turn> turns() {
    return List.copyOf(received);
  }

  /** Everything that was sent to the models. */
  public String received() {
    return String.join("\n", received.stream().map(Turn::body).toList());
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      if (path.endsWith("count_tokens")) {
        send(exchange, "application/json", "{\"input_tokens\":1}");
      } else if (path.endsWith(":countTokens")) {
        send(exchange, "application/json", "{\"totalTokens\":1}");
      } else if (path.endsWith("/messages")) {
        anthropic(exchange, body);
      } else if (path.endsWith("/responses") || path.endsWith("/chat/completions")) {
        openAi(exchange, body, path.endsWith("/responses"));
      } else if (path.contains("enerateContent")) {
        gemini(exchange, body, path.endsWith(":streamGenerateContent"));
      } else {
        exchange.sendResponseHeaders(404, -1);
      }
    } catch (JsonException e) {
      exchange.sendResponseHeaders(400, -1);
    }
  }

  private void anthropic(HttpExchange exchange, String body) throws IOException {
    Json request = Json.parse(body);
    List<Json> messages = WireText.items(request, "messages");
    int step = 0;
    for (Json message : messages) {
      for (Json block : WireText.items(message, "content")) {
        step += WireText.string(block, "type").equals("tool_result") ? 1 : 0;
      }
    }
    Reply reply = reply(Api.ANTHROPIC, body, WireText.lastUser(messages, "content"), step);
    if (Json.of(true).equals(request.fields().get("stream"))) {
      send(exchange, "text/event-stream", AnthropicWire.stream(reply, calls.incrementAndGet()));
    } else {
      send(exchange, "application/json", AnthropicWire.whole(reply));
    }
  }

  private void openAi(HttpExchange exchange, String body, boolean responses) throws IOException {
    Json request = Json.parse(body);
    if (!responses) {
      String prompt = WireText.lastUser(WireText.items(request, "messages"), "content");
      Reply reply = reply(Api.OPENAI, body, prompt, 0);
      send(exchange, "application/json", OpenAiWire.chat(reply));
      return;
    }
    Json input = request.fields().getOrDefault("input", Json.NULL);
    List<Json> items = input.isArray() ? input.items() : List.of();
    int step =
        (int)
            items.stream()
                .filter(item -> WireText.string(item, "type").endsWith("_call_output"))
                .count();
    String prompt =
        input.isString() ? String.valueOf(input.text()) : WireText.lastUser(items, "content");
    Reply reply = reply(Api.OPENAI, body, prompt, step);
    if (Json.of(true).equals(request.fields().get("stream"))) {
      send(exchange, "text/event-stream", OpenAiWire.stream(reply, calls.incrementAndGet()));
    } else {
      send(exchange, "application/json", OpenAiWire.whole(reply));
    }
  }

  private void gemini(HttpExchange exchange, String body, boolean stream) throws IOException {
    List<Json> contents = WireText.items(Json.parse(body), "contents");
    int step = 0;
    for (Json content : contents) {
      for (Json part : WireText.items(content, "parts")) {
        step += part.fields().containsKey("functionResponse") ? 1 : 0;
      }
    }
    Reply reply = reply(Api.GEMINI, body, WireText.lastUser(contents, "parts"), step);
    String answer = GeminiWire.whole(reply);
    if (stream) {
      send(exchange, "text/event-stream", "data: " + answer + "\n\n");
    } else {
      send(exchange, "application/json", answer);
    }
  }

  private Reply reply(Api api, String body, String prompt, int step) {
    boolean hasTools = !WireText.items(Json.parse(body), "tools").isEmpty();
    Turn turn = new Turn(api, prompt, step, hasTools, body);
    received.add(turn);
    return script.reply(turn);
  }

  private static void send(HttpExchange exchange, String type, String text) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    byte[] bytes = text.getBytes(UTF_8);
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  /** Reads requests of all three protocols. */
  private static final class WireText {
    private WireText() {}

    static List<Json> items(Json object, String key) {
      Json value = object.isObject() ? object.fields().get(key) : null;
      return value != null && value.isArray() ? value.items() : List.of();
    }

    static String string(Json object, String key) {
      Json value = object.isObject() ? object.fields().get(key) : null;
      String text = value != null && value.isString() ? value.text() : null;
      return text == null ? "" : text;
    }

    /** The texts of the last message of the user that has any. */
    static String lastUser(List<Json> messages, String content) {
      for (Json message : messages.reversed()) {
        String text = string(message, "role").equals("user") ? text(message, content) : "";
        if (!text.isEmpty()) {
          return text;
        }
      }
      return "";
    }

    private static String text(Json message, String content) {
      List<String> texts = new ArrayList<>(List.of(string(message, content)));
      items(message, content).forEach(part -> texts.add(string(part, "text")));
      texts.removeIf(String::isEmpty);
      return String.join("\n", texts);
    }
  }
}
