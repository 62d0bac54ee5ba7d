package dev.parley.core.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class CachedClockTest {
  private static final long MOST_AHEAD = Duration.ofNanos(CachedClock.LASTS).toMillis() * 1000 + 1;

  private final CachedClock clock = new CachedClock();

  @Test
  void itIsNeverBehindTheSystemsTimeNorFarAheadOfIt() {
    for (int i = 0; i < 200_000; i++) {
      if (i % 1000 == 0) {
        LockSupport.parkNanos(2 * CachedClock.LASTS); // longer than a cached time is valid
      }
      long before = Timestamps.micros(Instant.now());
      long told = clock.micros();
      long after = Timestamps.micros(Instant.now());
      assertThat(told).isBetween(before - 1, after + MOST_AHEAD);
    }
  }
}
