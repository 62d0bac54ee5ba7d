package dev.parley.core;

import java.time.Duration;
import java.util.Set;

/**
 * Rings when something may be new in a topic: a hint, never the truth.
 *
 * <p>A doorbell rings for everything appended after it was made, by any process, sooner or later;
 * it may ring for nothing. A reader reads first, then waits, then reads again.
 */
public interface Doorbell extends AutoCloseable {
  /**
   * Waits until it rings, it is closed or the time is over.
   *
   * @return the topics that may have something new; empty if it did not ring
   */
  Set<Topic> await(Duration atMost) throws InterruptedException;

  /**
   * Whether it has rung when {@link Log#append} returns, because only threads of this process
   * append to this log, and a read takes no system call. Then a reader looks at the log before it
   * waits, and again for a moment before it sleeps. A log that others can write to says no: its
   * doorbells may ring late, and readers do not spin.
   */
  default boolean isNear() {
    return false;
  }

  /** Ends every wait, now and from now on. */
  @Override
  void close();
}
