package dev.parley.core.bus;

import dev.parley.core.Envelope;
import dev.parley.core.Prefix;
import dev.parley.core.Report;
import dev.parley.core.Reporter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A bounded stream of what is published from now on, in this process.
 *
 * <p>It never makes a publisher wait: an envelope that finds the buffer full is dropped, counted
 * and reported. Nothing that decides may read through it; a {@link Feed} misses nothing.
 */
public final class LiveSubscription implements AutoCloseable {
  /** How many envelopes wait for a slow subscriber, unless it asks for another buffer. */
  public static final int DEFAULT_BUFFER = 64;

  private final Prefix prefix;
  private final int buffer;
  private final Reporter reporter;
  private final Consumer<LiveSubscription> onClose;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<Envelope> waiting;

  /** Whether there may be nothing waiting: what one sees without the lock. */
  private volatile boolean isEmpty = true;

  private long dropped;
  private boolean closed;

  public LiveSubscription(
      Prefix prefix, int buffer, Reporter reporter, Consumer<LiveSubscription> onClose) {
    this.prefix = prefix;
    this.buffer = buffer;
    this.reporter = reporter;
    this.onClose = onClose;
    this.waiting = new ArrayDeque<>(buffer);
  }

  public void offer(Envelope envelope) {
    if (!prefix.covers(envelope.topic())) {
      return;
    }
    long total;
    lock.lock();
    try {
      if (closed) {
        return;
      }
      if (waiting.size() < buffer) {
        waiting.add(envelope);
        isEmpty = false;
        changed.signal();
        return;
      }
      total = ++dropped;
    } finally {
      lock.unlock();
    }
    // Reports after 1, 2, 4, 8, … drops, so that a very slow subscriber does not fill the log as
    // well.
    if (Long.bitCount(total) == 1) {
      reporter.report(new Report.Dropped(prefix, envelope, total));
    }
  }

  /**
   * The next envelope; waits for one if there is none. What was buffered before the stream ended is
   * still delivered.
   *
   * @return null if the time is over, or the stream has ended
   */
  @SuppressWarnings("ThreadPriorityCheck") // only saves time: nothing relies on it
  public @Nullable Envelope next(Duration atMost) throws InterruptedException {
    long left = atMost.toNanos();
    // Waking this thread costs the publisher a system call, so let other threads run first.
    for (int i = 0; i < Feed.LOOKS && isEmpty && left > 0; i++) {
      Thread.yield();
    }
    lock.lockInterruptibly();
    try {
      while (waiting.isEmpty() && !closed && left > 0) {
        left = changed.awaitNanos(left);
      }
      Envelope next = waiting.poll();
      isEmpty = waiting.isEmpty();
      return next;
    } finally {
      lock.unlock();
    }
  }

  /** Whether nothing more will come. */
  public boolean hasEnded() {
    lock.lock();
    try {
      return closed && waiting.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** How many envelopes found the buffer full. */
  public long dropped() {
    lock.lock();
    try {
      return dropped;
    } finally {
      lock.unlock();
    }
  }

  /** Unsubscribes and ends the stream. */
  @Override
  public void close() {
    onClose.accept(this);
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
