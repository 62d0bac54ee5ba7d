package dev.parley.dialects.file;

import dev.parley.core.ParleyException;
import dev.parley.filelog.linux.SystemCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The lock of {@code flock(2)}, which other tools take. Java's own file locks are of another kind
 * and do not exclude those tools.
 *
 * <p>Long-running commands are started with native access and call the system directly. Short
 * commands run the program {@code flock} instead, because starting with native access would take
 * longer than most of them run.
 */
public sealed interface Flock extends AutoCloseable permits FlockCall, FlockProgram {
  /** The error code for a lock that another process holds. */
  String TAKEN = "file-locked";

  /** How long to wait for a lock that another process holds. */
  Duration PATIENCE = Duration.ofSeconds(10);

  /**
   * Takes the lock of a file, which is created if missing.
   *
   * @throws ParleyException FAILED if another process holds the lock all the time
   */
  static Flock take(Path path) {
    Flock taken = take(path, PATIENCE);
    if (taken == null) {
      throw new ParleyException(
          ParleyException.Kind.FAILED,
          TAKEN,
          path + " is locked by another process.",
          "Try again. If its owner hangs, end that process.");
    }
    return taken;
  }

  /** Takes the lock of a file; null if another process holds it all the time. */
  static @Nullable Flock take(Path path, Duration patience) {
    if (!SystemCalls.areAllowed()) {
      try {
        return FlockProgram.take(path, patience);
      } catch (IOException e) {
        // No such program here: call the system instead, which prints the JVM's warning.
      }
    }
    return FlockCall.take(path, patience);
  }

  @Override
  void close();
}
