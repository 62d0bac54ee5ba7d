package dev.parley.filelog.watch;

import dev.parley.core.Topic;
import dev.parley.filelog.linux.SystemCalls;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The system's watch on one folder. Events are hints, and some may be lost. One thread waits at a
 * time, but the next may begin before the last has returned. Any thread may close it, which ends
 * the wait.
 */
interface ChangeWatch extends AutoCloseable {
  /** The system offers no watch for this folder. */
  final class UnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    UnavailableException(String reason) {
      super(reason);
    }
  }

  static ChangeWatch open(Path folder) throws UnavailableException {
    return SystemCalls.areAllowed() ? LinuxWatch.open(folder) : JdkFileWatch.open(folder);
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

  /** Whether waiting blocks the carrier of a virtual thread. */
  boolean holdsThread();

  @Override
  void close();
}
