package dev.parley.coordination.fold;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Times as a saved state keeps them, so that a fold decides the same before and after a save. */
public final class StoredTimes {
  private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999Z");

  private StoredTimes() {}

  /** The time in microseconds; null if it is in a year that can't be written with four digits. */
  public static @Nullable Instant kept(@Nullable Instant time) {
    return time == null || time.isBefore(FIRST) || time.isAfter(LAST)
        ? null
        : time.truncatedTo(ChronoUnit.MICROS);
  }

  /** A time later by a duration, or the last that can be kept. */
  public static Instant later(Instant time, Duration by) {
    return near(time.plus(by));
  }

  /** A time earlier by a duration, or the first that can be kept. */
  public static Instant earlier(Instant time, Duration by) {
    return near(time.minus(by));
  }

  private static Instant near(Instant time) {
    return time.isBefore(FIRST) ? FIRST : time.isAfter(LAST) ? LAST : time;
  }
}
