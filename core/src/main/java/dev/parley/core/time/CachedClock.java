package dev.parley.core.time;

import java.time.Instant;

/**
 * A clock for code that asks for the time millions of times a second. It asks the system's clock at
 * most once a millisecond; in between it adds what {@link System#nanoTime} says has passed, which
 * takes two thirds of the time.
 */
public final class CachedClock {
  /**
   * How long a reading of the system's clock is used, in nanoseconds. A change of that clock is
   * noticed at the latest after this time.
   */
  public static final long LASTS = 1_000_000;

  private volatile Reading last = new Reading();

  /** Reads the system's clock for the first time. */
  public CachedClock() {}

  private static final class Reading {
    final long nanos = System.nanoTime();
    final long micros = Timestamps.micros(Instant.now());
  }

  /**
   * The time now.
   *
   * @return microseconds since 1970
   */
  public long micros() {
    return microsAt(System.nanoTime());
  }

  /**
   * The time now, for a caller that has just read the timer.
   *
   * @param nanos what {@link System#nanoTime} has just returned
   * @return microseconds since 1970
   */
  public long microsAt(long nanos) {
    Reading reading = last;
    long since = nanos - reading.nanos;
    if (since >= LASTS) {
      reading = new Reading();
      last = reading;
      return reading.micros;
    }
    return reading.micros + since / 1000;
  }
}
