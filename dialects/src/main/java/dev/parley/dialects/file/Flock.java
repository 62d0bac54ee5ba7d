package dev.parley.dialects.file;

import dev.parley.core.ParleyException;
import dev.parley.filelog.linux.SystemCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The lock of {@code flock(2)}, which other tools take; Java's own file locks are of another kind
 * and exclude nobody who takes this one.
 *
 * <p>What runs for long is started so that it may call the system itself. A command is not, because
 * that alone would take longer than most commands run: it asks the program {@code flock}.
 */
public sealed interface Flock extends AutoCloseable permits FlockCall, FlockProgram {
  /** The code of the error that says that somebody else has a lock. */
  String TAKEN = "file-locked";

  /** How long somebody else may have a lock before we give up on it. */
  Duration PATIENCE = Duration.ofSeconds(10);

  /**
   * Takes the lock of a file, which is made if need be.
   *
   * @throws ParleyException FAILED if somebody else has it all the time
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

  /** The same; null if somebody else has it for so long. */
  static @Nullable Flock take(Path path, Duration patience) {
    if (!SystemCalls.areAllowed()) {
      try {
        return FlockProgram.take(path, patience);
      } catch (IOException e) {
        // There is no such program here: then the other way, with its warning.
      }
    }
    return FlockCall.take(path, patience);
  }

  @Override
  void close();
}
