package dev.parley.bench.process;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Runs commands as processes, one at a time. */
public final class Program {
  private Program() {}

  /** Runs a command to its end, whatever it prints, and gives its exit code. */
  public static int exitCode(List<String> words, Map<String, String> environment)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().putAll(environment);
    return builder.start().waitFor();
  }

  /** Runs a command that must succeed. */
  public static void run(List<String> words, Map<String, String> environment)
      throws IOException, InterruptedException {
    int exitCode = exitCode(words, environment);
    if (exitCode != 0) {
      throw new IOException(String.join(" ", words) + " ended with " + exitCode);
    }
  }
}
