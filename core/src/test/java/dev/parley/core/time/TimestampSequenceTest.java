package dev.parley.core.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Seed;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimestampSequenceTest {
  private final TimestampSequence line = new TimestampSequence(new CachedClock());

  private String at(long micros) {
    line.write(micros);
    return line.toString();
  }

  @Test
  void aTimeIsWrittenAsAnyOtherWhateverCameBefore() {
    Random random = Seed.random("times one after the other");
    long micros = Timestamps.micros(Instant.parse("2026-12-31T23:59:50Z"));
    for (int i = 0; i < 10_000; i++) {
      micros += random.nextLong(random.nextBoolean() ? 100 : 40_000_000L);
      assertThat(at(micros)).isEqualTo(Timestamps.format(Timestamps.ofMicros(micros)));
    }
  }

  @Test
  void aLittleBackIsTheSameTimeAndMuchIsAClockThatWasSet() {
    long micros = Timestamps.micros(Instant.parse("2026-11-18T12:00:00.000500Z"));
    assertThat(at(micros)).isEqualTo("2026-11-18T12:00:00.000500Z");
    assertThat(at(micros - 1000)).isEqualTo("2026-11-18T12:00:00.000500Z");
    assertThat(at(micros - 1001)).isEqualTo("2026-11-18T11:59:59.999499Z");
    assertThat(at(micros)).isEqualTo("2026-11-18T12:00:00.000500Z");
  }

  @Test
  void itTellsTheSystemsTime() {
    Instant before = Instant.now();
    Instant told =
        Timestamps.parse(
            new String(line.at(System.nanoTime()), java.nio.charset.StandardCharsets.US_ASCII));
    assertThat(told).isBetween(before.minusNanos(1000), Instant.now().plusMillis(1));
  }
}
