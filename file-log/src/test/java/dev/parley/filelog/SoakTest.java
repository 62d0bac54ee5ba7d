package dev.parley.filelog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Limits;
import dev.parley.core.Seed;
import dev.parley.core.Topic;
import dev.parley.filelog.testing.Ack;
import dev.parley.filelog.testing.PayloadSizes;
import dev.parley.filelog.testing.ProcessResources;
import dev.parley.filelog.testing.ReaderFindings;
import dev.parley.filelog.testing.SoakMain;
import dev.parley.filelog.testing.TestFolder;
import dev.parley.filelog.testing.TestProcess;
import dev.parley.filelog.testing.WriterProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * Writes 500 messages a second for 20 minutes (in a normal run 20 seconds): two processes write
 * permanently, a third is killed again and again, and a fourth is subscribed. No acknowledged
 * message is lost, and the permanent processes use no more resources at the end than at the
 * beginning.
 */
class SoakTest {
  private static final Topic TOPIC = new Topic("soak");
  private static final Duration TIME = Duration.ofSeconds(Seed.isLong() ? 1200 : 20);
  private static final Duration BETWEEN_LOOKS = TIME.dividedBy(Seed.isLong() ? 20 : 3);
  private static final int TICK_MILLIS = 100;
  private static final int STAYING = 20;
  private static final int KILLED = 10;
  private static final int A_SECOND = 500;
  private static final int MORE_FILES = 2;
  private static final int MORE_THREADS = 2;
  private static final int MORE_HEAP_KB = 2048;

  private final Map<String, List<ProcessResources>> seen = new LinkedHashMap<>();

  @Test
  void underLoadAndKillsNothingIsLostAndNothingGrows() throws Exception {
    Random random = Seed.random("soak");
    List<WriterProcess> writers = new ArrayList<>();
    try (TestFolder home = TestFolder.onDisk();
        TestProcess subscriber = subscriber(home)) {
      TestProcess.await("subscribed").until(() -> subscriber.printed() > 0);
      WriterProcess.Plan plan =
          WriterProcess.Plan.small(home, TOPIC).with(PayloadSizes.SMALL, Limits.DEFAULT_LINE);
      WriterProcess one = plan.start(random);
      WriterProcess other = plan.with(2, 4).start(random);
      writers.addAll(List.of(one, other));
      writers.forEach(WriterProcess::awaitReady);
      Map<String, TestProcess> staying = new LinkedHashMap<>();
      staying.put("writer", one);
      staying.put("writer of batches", other);
      staying.put("subscriber", subscriber);

      int kills = load(plan, random, writers, staying);

      one.finish();
      other.finish();
      ReaderFindings reading = ReaderFindings.of(home.path(), TOPIC);
      List<Ack> acks = new ArrayList<>();
      for (WriterProcess writer : writers) {
        assertThat(writer.troubles()).isEmpty();
        acks.addAll(writer.acks());
      }
      reading.holds(acks);
      reading.hasNoGaps();
      assertThat(reading.damage()).hasSizeLessThanOrEqualTo(kills);
      assertThat(acks.size()).isGreaterThan((int) (TIME.toSeconds() * A_SECOND * 3 / 4));
      subscriberHas(subscriber, reading.count());
      seen.forEach(SoakTest::isFlat);
      Seed.say(acks.size() + " acknowledged in " + TIME + ", " + kills + " kills, none lost");
    } finally {
      writers.forEach(TestProcess::close);
    }
  }

  private static TestProcess subscriber(TestFolder home) throws IOException {
    List<String> arguments = List.of(home.path().toString(), TOPIC.name());
    return new TestProcess(home, "subscriber", TestProcess.java(SoakMain.class, arguments));
  }

  /** Runs the load until the time is over; returns the number of kills. */
  private int load(
      WriterProcess.Plan plan,
      Random random,
      List<WriterProcess> writers,
      Map<String, TestProcess> staying)
      throws Exception {
    List<WriterProcess> stay = List.copyOf(writers);
    AtomicReference<WriterProcess> victim = new AtomicReference<>(start(plan, random, writers));
    int kills = 0;
    try (ScheduledExecutorService pace = Executors.newSingleThreadScheduledExecutor()) {
      var _ =
          pace.scheduleAtFixedRate(
              () -> {
                stay.forEach(writer -> go(writer, STAYING));
                go(victim.get(), KILLED);
              },
              0,
              TICK_MILLIS,
              TimeUnit.MILLISECONDS);
      long end = System.nanoTime() + TIME.toNanos();
      long look = System.nanoTime() + BETWEEN_LOOKS.toNanos() / 2;
      while (System.nanoTime() - end < 0) {
        WriterProcess next = start(plan, random, writers);
        WriterProcess old = victim.get();
        old.awaitProgress(20 + random.nextInt(150));
        victim.set(next);
        old.kill();
        kills++;
        if (System.nanoTime() - look >= 0) {
          look(staying);
          look += BETWEEN_LOOKS.toNanos();
        }
      }
      look(staying);
      pace.shutdownNow();
    }
    victim.get().kill();
    return kills + 1;
  }

  private static WriterProcess start(
      WriterProcess.Plan plan, Random random, List<WriterProcess> writers) throws IOException {
    WriterProcess writer = plan.start(random);
    writers.add(writer);
    writer.awaitReady();
    return writer;
  }

  private static void go(WriterProcess writer, int messages) {
    try {
      writer.go(messages);
    } catch (IOException e) {
      if (writer.isAlive()) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void look(Map<String, TestProcess> staying) throws Exception {
    for (Map.Entry<String, TestProcess> each : staying.entrySet()) {
      seen.computeIfAbsent(each.getKey(), name -> new ArrayList<>())
          .add(ProcessResources.of(each.getValue().pid()));
    }
  }

  private static void subscriberHas(TestProcess subscriber, int count) {
    TestProcess.await("everything delivered")
        .pollInterval(Duration.ofMillis(100))
        .until(() -> {
          subscriber.say("");
          return subscriber.lines().contains("given " + count);
        });
  }

  private static void isFlat(String who, List<ProcessResources> looks) {
    Seed.say("soak, " + who + ": " + looks.getFirst() + " → " + looks.getLast());
    ProcessResources first = looks.getFirst();
    for (ProcessResources later : looks) {
      assertThat(later.files()).as(who).isLessThanOrEqualTo(first.files() + MORE_FILES);
      assertThat(later.threads()).as(who).isLessThanOrEqualTo(first.threads() + MORE_THREADS);
    }
    assertThat(first.heap()).as(who).isPositive();
    assertThat(looks.getLast().heap()).as(who).isLessThanOrEqualTo(first.heap() + MORE_HEAP_KB);
  }
}
