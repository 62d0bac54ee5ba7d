package dev.parley.bench.mcp;

import dev.parley.bench.process.Memory;
import dev.parley.core.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** An MCP server that speaks on stdin and stdout, as a host starts it. */
public final class StdioServer implements AutoCloseable {
  private final Process process;
  private final Writer in;
  private final BufferedReader out;

  public StdioServer(List<String> command, Map<String, String> environment) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().putAll(environment);
    this.process = builder.start();
    this.in = process.outputWriter();
    this.out = process.inputReader();
  }

  /** Begins to speak with it, and waits for its answer. */
  public void initialize() throws IOException {
    var _ = ask(Requests.initialize());
  }

  /** The tools it has, as it writes them. */
  public Json tools() throws IOException {
    tell(Requests.INITIALIZED);
    Json answer = ask(Requests.request(2, "tools/list", Json.EMPTY_OBJECT));
    Json tools = answer.fields().get("tools");
    if (tools == null) {
      throw new IOException("no tools: " + answer);
    }
    return tools;
  }

  /** What it keeps in memory, in MB of a million bytes. */
  public double megabytes() throws IOException {
    return Memory.megabytes(process.pid());
  }

  private void tell(Json message) throws IOException {
    in.write(message + "\n");
    in.flush();
  }

  private Json ask(Json request) throws IOException {
    tell(request);
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      Json result = Json.parse(line).fields().get("result");
      if (result != null) {
        return result;
      }
    }
    throw new IOException("the server ended before it answered");
  }

  @Override
  public void close() throws IOException {
    in.close();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
