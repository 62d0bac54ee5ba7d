package dev.parley.mcp.http;

import com.sun.net.httpserver.HttpExchange;
import dev.parley.core.json.Json;
import dev.parley.mcp.protocol.ClientOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The response to one request. It becomes an event stream with the first message sent to it. */
final class EventStream implements ClientOutput {
  static final String TYPE = "text/event-stream";

  private final HttpExchange exchange;
  private @Nullable OutputStream out;
  private boolean broken;

  EventStream(HttpExchange exchange) {
    this.exchange = exchange;
  }

  /** Whether the stream has begun; then the answer is sent on it too. */
  synchronized boolean isOpen() {
    return out != null;
  }

  synchronized void open() throws IOException {
    if (out == null) {
      exchange.getResponseHeaders().set("Content-Type", TYPE);
      exchange.getResponseHeaders().set("Cache-Control", "no-store");
      exchange.getResponseHeaders().set("X-Accel-Buffering", "no");
      exchange.sendResponseHeaders(200, 0);
      out = exchange.getResponseBody();
    }
  }

  @Override
  public boolean send(Json message) {
    return write("event: message\ndata: " + message + "\n\n");
  }

  /** Writes a comment line, which detects a client that is gone. */
  boolean keepAlive() {
    return write(":\n\n");
  }

  private synchronized boolean write(String text) {
    if (broken) {
      return false;
    }
    try {
      open();
      if (out != null) {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
      }
      return true;
    } catch (IOException e) {
      broken = true;
      return false;
    }
  }
}
