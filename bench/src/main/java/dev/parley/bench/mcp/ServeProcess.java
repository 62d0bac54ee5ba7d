package dev.parley.bench.mcp;

import dev.parley.bench.process.Installed;
import dev.parley.bench.process.Memory;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code parley serve}, as a process. */
public final class ServeProcess implements AutoCloseable {
  private final Installed installed;
  private final Process process;
  private final String address;

  public ServeProcess(Installed installed, Path folder) throws IOException {
    this.installed = installed;
    this.process = start(installed, folder, "serve", "--port", "0", "--json", "--rate", "1000000");
    String line = process.inputReader().readLine();
    Json mcp = line == null ? null : Json.parse(line).fields().get("mcp");
    String text = mcp == null ? null : mcp.text();
    if (text == null) {
      throw new IOException("parley serve did not start");
    }
    this.address = text;
  }

  private static Process start(Installed installed, Path folder, String... words)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(installed.command(words))
            .directory(folder.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().putAll(installed.environment());
    return builder.start();
  }

  /** Where its MCP server is. */
  public String address() {
    return address;
  }

  /** An agent's token. */
  public String token(String agent) throws IOException {
    Process asked = start(installed, Path.of("."), "serve", "token", agent);
    List<String> lines = asked.inputReader().lines().toList();
    if (lines.size() != 1) {
      throw new IOException("no token for " + agent);
    }
    return lines.getFirst();
  }

  /** What it keeps in memory, in MB of a million bytes. */
  public double megabytes() throws IOException {
    return Memory.megabytes(process.pid());
  }

  @Override
  public void close() {
    process.destroy();
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
