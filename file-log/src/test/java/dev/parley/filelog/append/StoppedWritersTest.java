package dev.parley.filelog.append;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Seed;
import dev.parley.core.Topic;
import dev.parley.filelog.testing.Ack;
import dev.parley.filelog.testing.ReaderFindings;
import dev.parley.filelog.testing.TestFolder;
import dev.parley.filelog.testing.TestProcess;
import dev.parley.filelog.testing.WriterProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A stopped writer delays no other process, because it holds no lock. */
class StoppedWritersTest {
  private static final Topic TOPIC = new Topic("stopped");
  private static final int STOPS = Seed.isLong() ? 2000 : 200;
  private static final int BURST = 200;
  private static final Duration BOUND = Duration.ofSeconds(10);

  @Test
  void aWriterStoppedAtAnyMomentDelaysNoOtherAndLosesNothing() throws Exception {
    Random random = Seed.random("stops");
    List<WriterProcess> writers = new ArrayList<>();
    try (TestFolder home = TestFolder.onDisk()) {
      WriterProcess.Plan plan = WriterProcess.Plan.small(home, TOPIC);
      writers.add(plan.start(random));
      writers.add(plan.with(4, 3).start(random));
      writers.add(plan.start(random));
      writers.forEach(WriterProcess::awaitReady);
      long longest = 0;
      for (int i = 0; i < STOPS; i++) {
        WriterProcess victim = writers.get(random.nextInt(writers.size()));
        long printed = victim.printed();
        for (WriterProcess writer : writers) {
          writer.go(BURST);
        }
        victim.awaitProgressSince(printed, random.nextInt(BURST / 4));
        victim.stop();
        long stoppedAt = victim.printed();
        long begin = System.nanoTime();
        for (WriterProcess other : writers) {
          if (other != victim) {
            long before = other.printed();
            other.go(BURST);
            TestProcess.await("appends of others while one writer is stopped")
                .atMost(BOUND)
                .until(() -> other.printed() > before + 200);
          }
        }
        longest = Math.max(longest, System.nanoTime() - begin);
        assertThat(victim.printed()).as("it was stopped").isEqualTo(stoppedAt);
        victim.goOn();
        victim.go(10);
        victim.awaitProgressSince(stoppedAt, 2);
      }
      for (WriterProcess writer : writers) {
        writer.finish();
      }
      ReaderFindings reading = ReaderFindings.of(home.path(), TOPIC);
      List<Ack> acks = new ArrayList<>();
      for (WriterProcess writer : writers) {
        assertThat(writer.troubles()).isEmpty();
        acks.addAll(writer.acks());
      }
      reading.holds(acks);
      reading.hasNoGaps();
      assertThat(reading.count()).isEqualTo(acks.size());
      assertThat(reading.damage()).isEmpty();
      Seed.say(
          STOPS
              + " stops, "
              + acks.size()
              + " acknowledged, none lost; both others went on within "
              + longest / 1_000_000
              + " ms");
    } finally {
      writers.forEach(TestProcess::close);
    }
  }
}
