package dev.parley.filelog.watch;

import dev.parley.core.Topic;
import dev.parley.filelog.linux.SystemCalls;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The system's watch on one folder: a hint at a time, and sometimes fewer than that. One thread at
 * a time waits, though the next may come before the last has quite left; any may close it, which
 * ends the wait.
 */
interface ChangeWatch extends AutoCloseable {
  /** There is no watch to be had here or now. */
  final class UnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    UnavailableException(String reason) {
      super(reason);
    }
  }

  static ChangeWatch open(Path folder) throws UnavailableException {
    return SystemCalls.areAllowed() ? LinuxWatch.open(folder) : JdkWatch.open(folder);
  }

  /**
   * Waits for events and rings for the topics they name.
   *
   * @param nanos how long at most, roughly
   * @param ring called with the topics of all events that are there
   * @param ringAll called when events were lost, so that anything may be new
   * @return false if the watch is of no use any more
   */
  boolean waitAndRing(long nanos, Consumer<Set<Topic>> ring, Runnable ringAll)
      throws InterruptedException;

  /** Whether who waits keeps a thread of the system from all others, also a virtual one. */
  boolean holdsThread();

  @Override
  void close();
}
