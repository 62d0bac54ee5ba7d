package dev.parley.core.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Seed;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimestampsTest {
  @Test
  void whatIsWrittenIsReadBackToTheMicrosecond() {
    Random random = Seed.random("whatIsWrittenIsReadBack");
    for (int i = 0; i < 10_000; i++) {
      Instant time =
          Instant.ofEpochSecond(
              random.nextLong(0, 253_402_300_799L), random.nextInt(1_000_000) * 1000L);
      String text = Timestamps.format(time);
      assertThat(text).hasSize(Timestamps.LENGTH);
      assertThat(Timestamps.parse(text)).isEqualTo(time);
    }
  }

  @Test
  void anyNumberOfDecimalsIsReadAsTheJdkReadsIt() {
    Random random = Seed.random("anyNumberOfDecimals");
    for (int i = 0; i < 10_000; i++) {
      Instant time = Instant.ofEpochSecond(random.nextLong(0, 253_402_300_799L));
      String decimals =
          Integer.toString(1_000_000_000 + random.nextInt(1_000_000_000))
              .substring(1, 1 + random.nextInt(10));
      String text =
          time.toString().substring(0, 19) + (decimals.isEmpty() ? "" : "." + decimals) + "Z";
      assertThat(Timestamps.parse(text)).as(text).isEqualTo(Instant.parse(text));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-15T10:00:00Z, 2026-11-15T10:00:00Z",
    "2026-11-15T10:00:00.5Z, 2026-11-15T10:00:00.5Z",
    "2026-11-15T10:00:00.123456789+02:00, 2026-11-15T08:00:00.123456789Z",
    "2026-11-15T10:00:00-05:00, 2026-11-15T15:00:00Z",
    "2026-11-15T10:00:00.123456, 2026-11-15T10:00:00.123456Z",
    "2026-11-15 10:00:00, 2026-11-15T10:00:00Z",
    "2026-11-15 10:00, 2026-11-15T10:00:00Z",
  })
  void timesAreReadAsOtherToolsWriteThem(String text, String expected) {
    assertThat(Timestamps.parse(text)).isEqualTo(Instant.parse(expected));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "yesterday",
        "2026-13-01T00:00:00Z",
        "2026-11-15",
        "12:00",
        "Z",
        "T",
        "2026-13-01T00:00:00.000000Z",
        "2026-11-15T24:00:00.000000Z",
        "2026-11-15T1x:00:00.000000Z",
        "2026-11-15T10:00:60Z",
        "2026-02-30T10:00:00Z",
        "2026-11-15T10:00:00.0000000000Z",
        "2026/11/15T10:00:00Z",
        "2026-11-15T10:00:00.00 000Z"
      })
  void whatIsNoTimeIsNull(String text) {
    assertThat(Timestamps.parse(text)).isNull();
  }

  @Test
  void aTimeIsANumberOfMicrosecondsAndBack() {
    for (String time :
        List.of(
            "1969-12-31T23:59:59.999999Z",
            "1970-01-01T00:00:00.000001Z",
            "2026-11-15T21:28:00.123456Z",
            "9999-12-31T23:59:59.999999Z")) {
      assertThat(Timestamps.ofMicros(Timestamps.micros(Instant.parse(time)))).hasToString(time);
    }
    assertThat(Timestamps.micros(Instant.parse("1970-01-01T00:00:01.000002999Z")))
        .isEqualTo(1_000_002);
  }
}
