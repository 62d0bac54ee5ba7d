package dev.parley.core.time;

import java.time.Instant;

/**
 * The system's time for whoever asks millions of times a second. Between two looks at its clock,
 * which are at most a millisecond apart, the timer is asked how long ago the last one was: that
 * takes two thirds of the time.
 */
public final class CachedClock {
  /** How long a look is good for; should the clock be set, so long nobody knows. */
  public static final long LASTS = 1_000_000; // ns

  private volatile Look last = new Look();

  private static final class Look {
    final long nanos = System.nanoTime();
    final long micros = Timestamps.micros(Instant.now());
  }

  /** The microseconds since 1970. */
  public long micros() {
    return microsAt(System.nanoTime());
  }

  /** The same for who has just asked the timer, {@link System#nanoTime}. */
  public long microsAt(long nanos) {
    Look look = last;
    long since = nanos - look.nanos;
    if (since >= LASTS) {
      look = new Look();
      last = look;
      return look.micros;
    }
    return look.micros + since / 1000;
  }
}
