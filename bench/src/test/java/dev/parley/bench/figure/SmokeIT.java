package dev.parley.bench.figure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.bench.agent.Replaying;
import dev.parley.bench.carrier.Carrier;
import dev.parley.bench.measure.Contestant;
import dev.parley.bench.measure.Lab;
import dev.parley.bench.measure.Sample;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The three figures that matter most, small and against the bare system calls only: a mistake that
 * costs a factor of two or so is seen: the limits are about half of what RESULTS.md shows, where
 * the bars themselves are not met yet. No absolute times; the best of several tries counts, because
 * a busy machine can only make us look slower.
 */
class SmokeIT {
  private static final int TRIES = 8;

  private Lab lab;

  @BeforeEach
  void openLab() throws Exception {
    lab = Lab.open(Path.of("target"), false);
  }

  @AfterEach
  void closeLab() throws Exception {
    lab.close();
  }

  @Test
  void publishingBetweenTwoProcessesIsNotSlowerAgainstBareBatchedAppendsThanItWas()
      throws Exception {
    try (Contestant ours = new EndToEnd(lab, "parley", Carrier.ASYNCHRONOUS, 300_000);
        Contestant bare = new EndToEnd(lab, "bare", 64, 300_000)) {
      assertThat(bestRatio(ours, bare, 0.1)).isGreaterThanOrEqualTo(0.1);
    }
  }

  @Test
  void onePublishCostsLittleMoreThanItsSystemCalls() throws Exception {
    try (Contestant ours = Senders.one(lab, "parley", 1, 100_000);
        Contestant bare = Senders.one(lab, "bare", 1, 100_000)) {
      assertThat(bestRatio(ours, bare, 0.5)).isGreaterThanOrEqualTo(0.5);
    }
  }

  @Test
  void replayingATopicIsNotSlowerAgainstFindingItsLinesThanItWas() throws Exception {
    int count = 300_000;
    Path folder = lab.newFolder();
    Replaying.fill(folder.toString(), count);
    try (Contestant ours =
            new ReplayFigure.Reading(lab, folder, count, "replay", "replayed", count / 10);
        Contestant bare = new ReplayFigure.Reading(lab, folder, count, "scan", "scanned", count)) {
      assertThat(bestRatio(ours, bare, 0.08)).isGreaterThanOrEqualTo(0.08);
    }
  }

  /** Tries until a ratio is good enough, or often enough. */
  private static double bestRatio(Contestant ours, Contestant bare, double enough)
      throws Exception {
    double best = 0;
    var _ = rate(ours) + rate(bare); // cold, it proves nothing
    for (int round = 0; round < TRIES && best < enough; round++) {
      best = Math.max(best, rate(ours) / rate(bare));
    }
    return best;
  }

  private static double rate(Contestant contestant) throws Exception {
    return contestant.round().values().getOrDefault(Sample.RATE, Double.NaN);
  }
}
