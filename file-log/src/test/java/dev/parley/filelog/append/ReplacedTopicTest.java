package dev.parley.filelog.append;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Seed;
import dev.parley.core.Topic;
import dev.parley.filelog.testing.Ack;
import dev.parley.filelog.testing.ReaderFindings;
import dev.parley.filelog.testing.TestFolder;
import dev.parley.filelog.testing.TestProcess;
import dev.parley.filelog.testing.WriterProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Writers are stopped at random moments, the topic is replaced by a copy, as many editors save, and
 * the writers continue. No line is written between the copy and the rename, so none may be missing
 * in the end: a writer must notice that its line went into the old file.
 */
class ReplacedTopicTest {
  private static final Topic TOPIC = new Topic("edited");
  private static final int TIMES = Seed.isLong() ? 500 : 125;
  private static final int BURST = 150;

  @Test
  void oneWriterStoppedAtAnyMomentLosesNothingWhenItsTopicIsReplaced() throws Exception {
    prove("one writer", 1);
  }

  @Test
  void twoWritersStoppedAtAnyMomentLoseNothingWhenTheirTopicIsReplaced() throws Exception {
    prove("two writers", 2);
  }

  private static void prove(String name, int count) throws Exception {
    Random random = Seed.random("replaced under " + name);
    List<WriterProcess> writers = new ArrayList<>();
    try (TestFolder home = TestFolder.onTmpfs()) {
      Path file = home.resolve(TOPIC + ".jsonl");
      Path old = home.resolve("old");
      for (int i = 0; i < count; i++) {
        writers.add(WriterProcess.Plan.small(home, TOPIC).start(random));
      }
      writers.forEach(WriterProcess::awaitReady);
      int misplaced = 0;
      for (int i = 0; i < TIMES; i++) {
        WriterProcess one = writers.get(random.nextInt(count));
        long begin = one.printed();
        for (WriterProcess writer : writers) {
          writer.go(BURST);
        }
        one.awaitProgressSince(begin, random.nextInt(BURST / 4));
        for (WriterProcess writer : writers) {
          writer.stop();
        }
        Files.deleteIfExists(old);
        Files.createLink(old, file);
        long size = replaceByCopy(home, file);
        for (WriterProcess writer : writers) {
          long printed = writer.printed();
          writer.goOn();
          writer.go(10);
          writer.awaitProgressSince(printed, 2);
        }
        misplaced += Files.size(old) > size ? 1 : 0;
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
      assertThat(misplaced).as("how often a writer was caught before its write").isPositive();
      Seed.say(
          TIMES
              + " replacements, "
              + acks.size()
              + " acknowledged, none lost; "
              + misplaced
              + " times a line went into the old file first");
    } finally {
      writers.forEach(TestProcess::close);
    }
  }

  /** Returns how much was copied. */
  private static long replaceByCopy(TestFolder home, Path file) throws IOException {
    Path copy = home.resolve("copy");
    Files.copy(file, copy);
    long size = Files.size(copy);
    Files.move(copy, file, StandardCopyOption.ATOMIC_MOVE);
    return size;
  }
}
