package dev.parley.dialects.file;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The lock of {@code flock(2)}, held by the program of that name. The program ends when its input
 * ends, so the lock is released however this process ends.
 */
final class FlockProgram implements Flock {
  /** The program's exit code if another process holds the lock all the time. */
  private static final int TAKEN = 75;

  private final Process process;

  private FlockProgram(Process process) {
    this.process = process;
  }

  /**
   * Null if another process holds the lock all the time.
   *
   * @throws IOException if the program is missing or does not know these options
   */
  static @Nullable FlockProgram take(Path path, Duration patience) throws IOException {
    String seconds = patience.toMillis() / 1000.0 + "";
    String[] command = {
      "flock", "-x", "-w", seconds, "-E", TAKEN + "", path.toAbsolutePath().toString(), "cat"
    };
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try {
      // Once the program has the lock, it echoes its input.
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
    } catch (IOException e) {
      // The program has ended; its exit code says why.
    }
    if (process.getInputStream().read() == '\n') {
      return new FlockProgram(process);
    }
    if (end(process) == TAKEN) {
      return null;
    }
    throw new IOException("flock ended with " + process.exitValue());
  }

  private static int end(Process process) throws IOException {
    process.getOutputStream().close();
    boolean interrupted = false;
    while (true) {
      try {
        int code = process.waitFor();
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
        return code;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
  }

  @Override
  public void close() {
    try {
      var _ = end(process);
    } catch (IOException e) {
      process.destroyForcibly();
    }
  }
}
