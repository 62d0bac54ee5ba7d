package dev.parley.core;

import java.time.Duration;
import java.util.Set;

/**
 * Rings when something may be new in a topic: a hint, never the truth.
 *
 * <p>A doorbell rings for everything appended after it was made, by any process, sooner or later;
 * it may ring for nothing. Whoever waits reads first, then waits, then reads again.
 */
public interface Doorbell extends AutoCloseable {
  /**
   * Waits until it rings, it is closed or the time is over.
   *
   * @return the topics that may have something new; empty if it did not ring
   */
  Set<Topic> await(Duration atMost) throws InterruptedException;

  /** Whether it is rung by threads of this process only, and a look takes no system call. */
  default boolean isNear() {
    return false;
  }

  /** Ends every wait, now and from now on. */
  @Override
  void close();
}
