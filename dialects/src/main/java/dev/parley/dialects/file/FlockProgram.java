package dev.parley.dialects.file;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The lock of {@code flock(2)}, held by the program of that name. It ends with its input, so the
 * lock is free however this process ends.
 */
final class FlockProgram implements Flock {
  /** What the program answers with if somebody else has the lock all the time. */
  private static final int TAKEN = 75;

  private final Process process;

  private FlockProgram(Process process) {
    this.process = process;
  }

  /**
   * Null if somebody else has it for so long.
   *
   * @throws IOException if there is no such program, or one that does not know these options
   */
  static @Nullable FlockProgram take(Path path, Duration patience) throws IOException {
    String seconds = patience.toMillis() / 1000.0 + "";
    String[] command = {
      "flock", "-x", "-w", seconds, "-E", TAKEN + "", path.toAbsolutePath().toString(), "cat"
    };
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try {
      // Once it has the lock it echoes what it gets.
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
    } catch (IOException e) {
      // It has ended already: the answer says why.
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
