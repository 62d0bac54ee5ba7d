package dev.parley.filelog.append;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Damage;
import dev.parley.core.Seed;
import dev.parley.core.Topic;
import dev.parley.core.writer.WriterId;
import dev.parley.filelog.testing.Ack;
import dev.parley.filelog.testing.PayloadSizes;
import dev.parley.filelog.testing.ReaderFindings;
import dev.parley.filelog.testing.ReaderProcess;
import dev.parley.filelog.testing.TestFolder;
import dev.parley.filelog.testing.TestProcess;
import dev.parley.filelog.testing.WriterProcess;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Three writers append a burst at the same time. One of them is killed with {@code kill -9} and
 * replaced; a reader follows. Half of the kills hit a writer of lines of some megabytes, the others
 * a writer of small lines.
 */
class KilledWritersTest {
  private static final Topic TOPIC = new Topic("killed");
  private static final int LINE_LIMIT = 16 << 20;
  private static final int KILLS = Seed.isLong() ? 500 : 25;

  /** After how many kills the topic is checked and a new one is begun. */
  private static final int KILLS_A_TOPIC = 25;

  private int acknowledged;
  private int fragments;

  @Test
  void aWriterKilledAmongSmallLinesLosesNothingAcknowledged() throws Exception {
    Random random = Seed.random("kills among small lines");
    prove(random, PayloadSizes.SMALL, 400);
  }

  @Test
  void aWriterKilledInLinesOfMegabytesLosesNothingAcknowledgedAndItsTornTailIsReported()
      throws Exception {
    Random random = Seed.random("kills in large lines");
    prove(random, PayloadSizes.HUGE, 4);
    assertThat(fragments).as("kills that left a torn tail").isPositive();
  }

  private void prove(Random random, PayloadSizes victims, int burst) throws Exception {
    for (int kills = 0; kills < KILLS; kills += KILLS_A_TOPIC) {
      try (TestFolder home = TestFolder.onDisk()) {
        prove(home, random, victims, burst);
      }
    }
    Seed.say(
        KILLS
            + " kills, "
            + acknowledged
            + " acknowledged, none lost, "
            + fragments
            + " torn tails");
  }

  private void prove(TestFolder home, Random random, PayloadSizes victims, int burst)
      throws Exception {
    WriterProcess.Plan small =
        WriterProcess.Plan.small(home, TOPIC).with(PayloadSizes.SMALL, LINE_LIMIT);
    WriterProcess.Plan large = small.with(victims, LINE_LIMIT);
    List<WriterProcess> all = new ArrayList<>();
    Deque<WriterProcess> standby = new ArrayDeque<>();
    Set<WriterProcess> killed = new HashSet<>();
    try (ReaderProcess follower = ReaderProcess.start(home, TOPIC, LINE_LIMIT)) {
      List<WriterProcess> bystanders = List.of(small.start(random), small.with(3, 4).start(random));
      all.addAll(bystanders);
      for (int kill = 0; kill < KILLS_A_TOPIC; kill++) {
        while (standby.size() < 3 && all.size() < KILLS_A_TOPIC + bystanders.size()) {
          WriterProcess next = large.start(random);
          all.add(next);
          standby.add(next);
        }
        WriterProcess victim = standby.remove();
        victim.awaitReady();
        bystanders.forEach(WriterProcess::awaitReady);
        long printed = victim.printed();
        victim.go(burst);
        for (WriterProcess bystander : bystanders) {
          bystander.go(200);
        }
        victim.awaitProgressSince(printed, random.nextInt(burst / 2));
        awaitMomentInsideAnAppend(home, random, victims);
        victim.kill();
        killed.add(victim);
      }
      for (WriterProcess bystander : bystanders) {
        bystander.finish();
        assertThat(bystander.acks()).hasSize(200 * KILLS_A_TOPIC);
      }
      for (WriterProcess writer : all) {
        writer.close();
      }
      check(home, all, killed, follower);
    } finally {
      all.forEach(TestProcess::close);
    }
  }

  /** Waits a random time, or until the file grows as only a large write makes it grow. */
  private static void awaitMomentInsideAnAppend(
      TestFolder home, Random random, PayloadSizes victims) {
    File file = home.resolve(TOPIC + ".jsonl").toFile();
    long end =
        System.nanoTime() + random.nextInt(victims == PayloadSizes.HUGE ? 500_000_000 : 500_000);
    long start = file.length();
    int growth = victims == PayloadSizes.HUGE ? 100_000 : Integer.MAX_VALUE;
    while (System.nanoTime() - end < 0 && file.length() - start < growth) {
      Thread.onSpinWait();
    }
  }

  private void check(
      TestFolder home, List<WriterProcess> all, Set<WriterProcess> killed, ReaderProcess follower)
      throws Exception {
    ReaderFindings reading = ReaderFindings.of(home.path(), TOPIC, LINE_LIMIT);
    List<Ack> acks = new ArrayList<>();
    List<String> living = new ArrayList<>();
    for (WriterProcess writer : all) {
      assertThat(writer.troubles()).isEmpty();
      acks.addAll(writer.acks());
      if (!killed.contains(writer)) {
        living.add(String.valueOf(WriterId.in(writer.acks().getFirst().id())));
      }
    }
    reading.holds(acks);
    reading.hasNoGaps();
    // A damaged line begins with the fragment of a killed writer; no other line is damaged.
    assertThat(reading.damage()).hasSizeLessThanOrEqualTo(killed.size());
    for (Damage damage : reading.damage()) {
      String begin = read(home, damage.offset().value(), 40);
      assertThat(living).as(begin).noneMatch(writer -> begin.startsWith("{\"id\":\"" + writer));
    }
    follower.agreesWith(reading);
    acknowledged += acks.size();
    fragments += reading.damage().size();
  }

  private static String read(TestFolder home, long at, int length) throws IOException {
    try (RandomAccessFile file =
        new RandomAccessFile(home.resolve(TOPIC + ".jsonl").toFile(), "r")) {
      file.seek(at);
      byte[] bytes = new byte[(int) Math.min(length, file.length() - at)];
      file.readFully(bytes);
      String text = new String(bytes, StandardCharsets.ISO_8859_1);
      return text.contains("\n") ? text.substring(0, text.indexOf('\n')) : text;
    }
  }
}
