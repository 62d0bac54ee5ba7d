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
   * Whether the log is near, which promises three things: the doorbell has rung when {@link
   * Log#append} returns; a read takes no system call; and no line of a topic is ever there twice or
   * missing, because one writer in this process appends all of them. So a reader of a near log
   * looks at it before it waits and again for a moment before it sleeps, and does not look for
   * repeats and gaps. A log that others can write to says no: its doorbells may ring late, readers
   * do not spin, and they look for repeats.
   */
  default boolean isNear() {
    return false;
  }

  /** Ends every wait, now and from now on. */
  @Override
  void close();
}
