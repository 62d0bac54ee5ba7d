package dev.parley.coordination.fold;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Times as a saved state stores them, so that a fold decides the same before and after saving. */
public final class StoredTimes {
  private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999Z");

  private StoredTimes() {}

  /** A time cut to microseconds; null if its year does not have four digits. */
  public static @Nullable Instant kept(@Nullable Instant time) {
    return time == null || time.isBefore(FIRST) || time.isAfter(LAST)
        ? null
        : time.truncatedTo(ChronoUnit.MICROS);
  }

  /** A time plus a duration, or the last time that can be stored. */
  public static Instant later(Instant time, Duration by) {
    return near(time.plus(by));
  }

  /** A time minus a duration, or the first time that can be stored. */
  public static Instant earlier(Instant time, Duration by) {
    return near(time.minus(by));
  }

  private static Instant near(Instant time) {
    return time.isBefore(FIRST) ? FIRST : time.isAfter(LAST) ? LAST : time;
  }
}
