package dev.parley.dialects.file;

import dev.parley.filelog.linux.SystemCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The lock of {@code flock(2)}, called directly. The JVM prints a warning unless it was started
 * with native access allowed.
 */
final class FlockCall implements Flock {
  private static final Duration RETRY = Duration.ofMillis(1);

  private final int file;

  private FlockCall(int file) {
    this.file = file;
  }

  /** Null if another process holds the lock all the time. */
  static @Nullable FlockCall take(Path path, Duration patience) {
    long end = System.nanoTime() + patience.toNanos();
    int file = open(path);
    while (!SystemCalls.lock(file)) {
      if (System.nanoTime() - end >= 0) {
        SystemCalls.close(file);
        return null;
      }
      LockSupport.parkNanos(RETRY.toNanos());
    }
    return new FlockCall(file);
  }

  private static int open(Path path) {
    try {
      return SystemCalls.open(path, SystemCalls.READ_WRITE | SystemCalls.CREATE);
    } catch (IOException e) {
      throw ForeignFile.trouble("Opening", path, e);
    }
  }

  @Override
  public void close() {
    SystemCalls.close(file);
  }
}
