package dev.parley.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.core.ParleyException;
import java.time.Duration;
import java.time.Instant;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimesTest {
  private static final Instant NOW = Instant.parse("2026-11-15T21:28:00Z");

  /** Two hours ahead of UTC at that time. */
  private static final Times TIMES =
      new Times(NOW, () -> TimeZone.getTimeZone("Europe/Athens"), Duration.ZERO);

  private static Instant past(String text) {
    return TIMES.past("--since", text);
  }

  @Test
  void anAgeIsCountedBackFromNowAndATimeLeftForwards() {
    assertThat(past("90s")).isEqualTo("2026-11-15T21:26:30Z");
    assertThat(past("10m")).isEqualTo("2026-11-15T21:18:00Z");
    assertThat(past("1d")).isEqualTo("2026-11-14T21:28:00Z");
    assertThat(TIMES.future("--deadline", "2h")).isEqualTo("2026-11-15T23:28:00Z");
  }

  @Test
  void aTimeWithoutAZoneIsLocalLikeTheTimesThatAreShown() {
    assertThat(TIMES.show(NOW)).isEqualTo("2026-11-15 23:28:00");
    assertThat(past("2026-11-15 23:28:00")).isEqualTo(NOW);
    assertThat(past("2026-11-15T23:28")).isEqualTo(NOW);
    assertThat(past("23:28")).isEqualTo(NOW);
    assertThat(past("2026-11-15")).isEqualTo("2026-11-14T22:00:00Z");
  }

  @Test
  void aTimeWithAZoneMeansThatZone() {
    assertThat(past("2026-11-15T21:28:00Z")).isEqualTo(NOW);
    assertThat(past("2026-11-15T22:28:00+01:00")).isEqualTo(NOW);
    assertThat(past("2026-11-15T16:28:00-05:00")).isEqualTo(NOW);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "m", "-5m", "5x", "banana", "2026-13-01", "99999999999d", "1.5h"})
  void whatIsNoTimeIsRefused(String text) {
    assertThatThrownBy(() -> past(text))
        .isInstanceOf(ParleyException.class)
        .hasMessageContaining("is not a time");
  }
}
