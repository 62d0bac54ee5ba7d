package dev.parley.filelog.append;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Damage;
import dev.parley.core.Seed;
import dev.parley.core.Topic;
import dev.parley.filelog.testing.Ack;
import dev.parley.filelog.testing.ReaderFindings;
import dev.parley.filelog.testing.TestFolder;
import dev.parley.filelog.testing.TestProcess;
import dev.parley.filelog.testing.WriterProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A Python program that needs several writes for each of its lines, beside two of our writers. */
class SplitWritesTest {
  private static final Topic TOPIC = new Topic("broken-up");
  private static final int PIECES = Seed.isLong() ? 20_000 : 2_000;
  private static final Pattern MARK = Pattern.compile("<p(\\d+)>");

  /** Every piece of a line carries the line's number, so that broken lines can be told apart. */
  private static final String PROGRAM =
      """
      import os, sys
      fd = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
      for n in range(1, int(sys.argv[2]) + 1):
          text = ('<p%d>' % n) * (20000 // len('<p%d>' % n))
          line = ('{"type":"python","sender":"python","key":"%d","payload":"%s"}\\n' % (n, text)).encode()
          for i in range(0, len(line), 256):
              os.write(fd, line[i:i + 256])
      """;

  @Test
  void nothingOfOursIsLostAndWhatItBrokeOfItsOwnIsReported() throws Exception {
    Random random = Seed.random("beside a writer that breaks up its lines");
    List<TestProcess> all = new ArrayList<>();
    try (TestFolder home = TestFolder.onDisk()) {
      Path file = home.resolve(TOPIC + ".jsonl");
      WriterProcess.Plan plan = WriterProcess.Plan.small(home, TOPIC);
      List<WriterProcess> writers = List.of(plan.start(random), plan.with(2, 3).start(random));
      all.addAll(writers);
      writers.forEach(WriterProcess::awaitReady);
      for (WriterProcess writer : writers) {
        writer.go(Long.MAX_VALUE / 2);
      }
      writers.forEach(writer -> writer.awaitProgress(1));
      TestProcess python =
          new TestProcess(
              home,
              "python",
              List.of("python3", "-c", PROGRAM, file.toString(), Integer.toString(PIECES)));
      all.add(python);
      python.finish();
      for (WriterProcess writer : writers) {
        writer.say("stop");
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
      Set<Long> whole = new HashSet<>(reading.keys("python"));
      Set<Long> broken = marksIn(file, reading.damage());
      for (long n = 1; n <= PIECES; n++) {
        assertThat(whole.contains(n) || broken.contains(n)).as("python's line " + n).isTrue();
        assertThat(whole.contains(n) && broken.contains(n)).as("python's line " + n).isFalse();
      }
      assertThat(broken).as("lines that it broke").isNotEmpty();
      Seed.say(
          acks.size()
              + " acknowledged, none lost; of python's "
              + PIECES
              + " lines "
              + whole.size()
              + " are whole and "
              + broken.size()
              + " reported, in "
              + reading.damage().size()
              + " damaged lines");
    } finally {
      all.forEach(TestProcess::close);
    }
  }

  /** The numbers of the lines with a piece in the reported damage. */
  private static Set<Long> marksIn(Path file, List<Damage> damage) throws Exception {
    Set<Long> marks = new HashSet<>();
    String text = Files.readString(file, ISO_8859_1);
    for (Damage one : damage) {
      int from = (int) one.offset().value();
      Matcher matcher = MARK.matcher(text).region(from, from + (int) one.length());
      while (matcher.find()) {
        marks.add(Long.valueOf(matcher.group(1)));
      }
    }
    return marks;
  }
}
