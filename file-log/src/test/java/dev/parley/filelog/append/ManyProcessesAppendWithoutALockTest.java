package dev.parley.filelog.append;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Seed;
import dev.parley.core.Topic;
import dev.parley.filelog.testing.Ack;
import dev.parley.filelog.testing.PayloadSizes;
import dev.parley.filelog.testing.ReaderFindings;
import dev.parley.filelog.testing.ReaderProcess;
import dev.parley.filelog.testing.TestFolder;
import dev.parley.filelog.testing.TestProcess;
import dev.parley.filelog.testing.WriterProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Four processes append 10,000 messages each, 190 bytes to 256 KiB, about 500 MB in all: one at a
 * time, in batches, and from many threads. Beside them one shell appends under flock and another
 * with a plain {@code >>}, and three readers follow.
 */
class ManyProcessesAppendWithoutALockTest {
  private static final Topic TOPIC = new Topic("shared");
  private static final int EACH = 10_000;

  @Test
  void onDiskNothingIsLostTornOrDoubledAndReadersAgree() throws Exception {
    try (TestFolder home = TestFolder.onDisk()) {
      prove(home);
    }
  }

  @Test
  void onTmpfsNothingIsLostTornOrDoubledAndReadersAgree() throws Exception {
    try (TestFolder home = TestFolder.onTmpfs()) {
      prove(home);
    }
  }

  private static void prove(TestFolder home) throws Exception {
    Random random = Seed.random("many processes in " + home.path());
    WriterProcess.Plan plan =
        WriterProcess.Plan.small(home, TOPIC).with(PayloadSizes.MIXED, 1 << 20);
    List<TestProcess> all = new ArrayList<>();
    try {
      List<WriterProcess> writers = new ArrayList<>();
      writers.add(plan.start(random));
      writers.add(plan.with(1, 20).start(random));
      writers.add(plan.with(8, 1).start(random));
      writers.add(plan.with(3, 5).start(random));
      all.addAll(writers);
      TestProcess locked = shell(home, "locked", "{ flock 9; line >&9; } 9>>\"$file\"");
      TestProcess plain = shell(home, "plain", "line >>\"$file\"");
      all.addAll(List.of(locked, plain));
      List<ReaderProcess> followers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        followers.add(ReaderProcess.start(home, TOPIC, 1 << 20));
      }
      all.addAll(followers);
      writers.forEach(WriterProcess::awaitReady);
      for (WriterProcess writer : writers) {
        writer.go(EACH);
      }
      for (WriterProcess writer : writers) {
        writer.finish();
      }
      locked.finish();
      plain.finish();

      ReaderFindings reading = ReaderFindings.of(home.path(), TOPIC);
      List<Ack> acks = new ArrayList<>();
      for (WriterProcess writer : writers) {
        assertThat(writer.troubles()).isEmpty();
        assertThat(writer.acks()).hasSize(EACH);
        acks.addAll(writer.acks());
      }
      reading.holds(acks);
      reading.hasNoGaps();
      assertThat(reading.count()).isEqualTo(4 * EACH);
      assertThat(reading.damage()).isEmpty();
      for (TestProcess shell : List.of(locked, plain)) {
        long written = Long.parseLong(shell.lines().getLast());
        String sender = shell.equals(locked) ? "locked" : "plain";
        assertThat(written).isPositive();
        assertThat(reading.keys(sender))
            .containsExactlyElementsOf(LongStream.rangeClosed(1, written).boxed().toList());
      }
      for (ReaderProcess follower : followers) {
        follower.agreesWith(reading);
      }
      Seed.say(
          acks.size()
              + " acknowledged, "
              + reading.keys("locked").size()
              + " foreign lines under flock, "
              + reading.keys("plain").size()
              + " without, "
              + (Files.size(file(home)) >> 20)
              + " MiB, none lost");
    } finally {
      all.forEach(TestProcess::close);
    }
  }

  private static Path file(TestFolder home) {
    return home.resolve(TOPIC + ".jsonl");
  }

  /** A shell that appends up to 5,000 whole lines until its input ends, then prints how many. */
  private static TestProcess shell(TestFolder home, String sender, String append) throws Exception {
    String script =
        """
        file=$1 name=$2 n=0
        line() { printf '{"type":"shell","sender":"%s","key":"%d","payload":"%0200d"}\\n' $name $n 0; }
        while [ $n -lt 5000 ] && ! read -t 0; do
          n=$((n + 1))
          APPEND
        done
        cat
        echo $n
        """
            .replace("APPEND", append);
    return new TestProcess(
        home, sender, List.of("bash", "-c", script, "bash", file(home).toString(), sender));
  }
}
