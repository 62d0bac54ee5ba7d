package dev.parley.coordination.fold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.time.Timestamps;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TimesTest {
  private static final Instant NEARLY_LAST = Instant.parse("9999-12-31T23:59:58Z");
  private static final Instant NEARLY_FIRST = Instant.parse("0000-01-01T00:00:01Z");

  /** A fold that is saved and loaded must go on as one that was not. */
  @Test
  void whatIsMovedByADurationIsReadAsItWasWritten() {
    for (Duration by : new Duration[] {Duration.ofSeconds(1), Duration.ofDays(5_000_000)}) {
      assertIsKept(StoredTimes.later(NEARLY_LAST, by));
      assertIsKept(StoredTimes.later(NEARLY_FIRST, by));
      assertIsKept(StoredTimes.earlier(NEARLY_LAST, by));
      assertIsKept(StoredTimes.earlier(NEARLY_FIRST, by));
    }
    assertThat(StoredTimes.later(NEARLY_FIRST, Duration.ofSeconds(1)))
        .isEqualTo("0000-01-01T00:00:02Z");
    assertThat(StoredTimes.earlier(NEARLY_LAST, Duration.ofSeconds(1)))
        .isEqualTo("9999-12-31T23:59:57Z");
  }

  private static void assertIsKept(Instant time) {
    assertThat(Timestamps.parse(Timestamps.format(time))).isEqualTo(time);
  }
}
