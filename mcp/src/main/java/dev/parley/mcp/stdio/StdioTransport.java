package dev.parley.mcp.stdio;

import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.mcp.protocol.ClientOutput;
import dev.parley.mcp.protocol.Connection;
import dev.parley.mcp.protocol.Engine;
import dev.parley.mcp.protocol.Response;
import dev.parley.mcp.protocol.RpcException;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Serves one client over two streams until it closes its own.
 *
 * <p>Every message has a thread of its own, so a waiting request does not block others. When the
 * client closes its stream, running requests get a few seconds to complete.
 */
public final class StdioTransport implements ClientOutput {
  /** The size limit of a message in bytes. */
  public static final int MOST_BYTES = 4 << 20;

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Engine engine;
  private final InputStream in;
  private final OutputStream out;
  private final Connection connection = new Connection(this);
  private final Set<Thread> running = ConcurrentHashMap.newKeySet();
  private boolean broken;

  public StdioTransport(Engine engine, InputStream in, OutputStream out) {
    this.engine = engine;
    this.in = new BufferedInputStream(in, 1 << 16);
    this.out = out;
  }

  /** Serves until the client closes its stream. */
  public void serve() throws IOException, InterruptedException {
    try {
      for (byte[] line = line(); line != null; line = line()) {
        if (line.length > 0) {
          take(line);
        }
      }
      long end = System.nanoTime() + PATIENCE.toNanos();
      for (Thread thread : running) {
        long left = end - System.nanoTime();
        if (left > 0) {
          var _ = thread.join(Duration.ofNanos(left));
        }
      }
    } finally {
      connection.close();
    }
  }

  /** The next line; null at the end. A line over the limit is skipped and returned empty. */
  private byte @Nullable [] line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    boolean tooLong = false;
    for (int next = in.read(); next >= 0; next = in.read()) {
      if (next == '\n') {
        return tooLong ? tooLong() : line.toByteArray();
      }
      tooLong |= line.size() >= MOST_BYTES;
      if (!tooLong && next != '\r') {
        line.write(next);
      }
    }
    return line.size() == 0 ? null : line.toByteArray();
  }

  private byte[] tooLong() {
    RpcException error =
        RpcException.malformed(
            RpcException.INVALID_REQUEST, "A message may have " + MOST_BYTES + " bytes");
    send(Response.error(Json.NULL, error));
    return new byte[0];
  }

  private void take(byte[] line) {
    Json message;
    try {
      message = Json.parse(line, Json.DEFAULT_DEPTH);
    } catch (JsonException e) {
      RpcException error =
          RpcException.malformed(RpcException.PARSE_ERROR, "The line is not one JSON value");
      send(Response.error(Json.NULL, error));
      return;
    }
    if (message.fields().get("method") == null || message.fields().get("id") == null) {
      // Notifications and answers are quick, so they are handled here and keep their order.
      send(engine.answer(message, connection, this, null));
      return;
    }
    Thread thread = Thread.ofVirtual().unstarted(() -> answer(message));
    running.add(thread);
    thread.start();
  }

  private void answer(Json message) {
    try {
      send(engine.answer(message, connection, this, null));
    } finally {
      running.remove(Thread.currentThread());
    }
  }

  private void send(Response answer) {
    Json message = answer.message();
    if (message != null && send(message)) {
      answer.sent().run();
    }
  }

  @Override
  public synchronized boolean send(Json message) {
    if (broken) {
      return false;
    }
    try {
      out.write((message + "\n").getBytes(StandardCharsets.UTF_8));
      out.flush();
      return true;
    } catch (IOException e) {
      broken = true;
      return false;
    }
  }
}
