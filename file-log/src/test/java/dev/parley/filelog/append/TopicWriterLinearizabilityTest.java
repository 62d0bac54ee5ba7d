package dev.parley.filelog.append;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Limits;
import dev.parley.core.Message;
import dev.parley.core.Seed;
import dev.parley.core.Stored;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.core.time.CachedClock;
import dev.parley.core.writer.WriterId;
import dev.parley.filelog.Durability;
import dev.parley.filelog.disk.MemoryDisk;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Threads that append to one topic queue their messages, and one of them stores all. The answers
 * must be linearizable, and no thread may sleep on.
 *
 * <p>The order need not be searched for, because it must be that of the lines in the file: a call
 * that ended before another began comes first. The test runs many short rounds, because a forgotten
 * thread is woken by the next call as long as there is one. (In a minute Lincheck tried too few
 * interleavings to find a missing lock.)
 */
class TopicWriterLinearizabilityTest {
  private static final int ROUNDS = Seed.isLong() ? 200_000 : 10_000;
  private static final int THREADS = 4;
  private static final Topic TOPIC = new Topic("t");

  private final Random random = Seed.random("topicWriterLinearizability");

  /** One call of append: its messages, its times and its answer. */
  private record Call(long begun, long ended, List<Integer> numbers, List<Stored> stored) {}

  /** One topic, written by several threads for a moment. */
  private static final class Round {
    final MemoryDisk disk = new MemoryDisk();
    final TopicWriter writer =
        new TopicWriter(
            disk,
            Path.of("t.jsonl"),
            TOPIC,
            Limits.DEFAULT,
            WriterId::random,
            new AtomicLong(),
            new CachedClock(),
            Durability.OS,
            () -> null);
    final CyclicBarrier start = new CyclicBarrier(THREADS);

    List<Call> append(int thread, List<Integer> sizes) throws Exception {
      List<Call> calls = new ArrayList<>();
      start.await();
      for (int size : sizes) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < size; i++) {
          numbers.add(1000 * thread + 10 * calls.size() + i);
        }
        long begun = System.nanoTime();
        List<Stored> stored = writer.append(numbers.stream().map(Round::message).toList());
        calls.add(new Call(begun, System.nanoTime(), numbers, stored));
      }
      return calls;
    }

    private static Message message(int number) {
      return Message.of("a", "n", Json.of(number));
    }

    /** Closes the file while threads append; the next append opens it again. */
    List<Call> release() throws Exception {
      start.await();
      writer.release();
      return List.of();
    }
  }

  @Test
  void whateverThreadsAppendAtOnceTheirAnswersAreThoseOfTakingTurns() throws Exception {
    // Not closed, because a thread that sleeps on would block that.
    ExecutorService threads =
        Executors.newFixedThreadPool(THREADS, Thread.ofPlatform().daemon().factory());
    try {
      for (int i = 0; i < ROUNDS; i++) {
        Round round = new Round();
        List<Future<List<Call>>> parts = new ArrayList<>();
        boolean releases = random.nextInt(4) == 0;
        for (int t = 0; t < THREADS; t++) {
          int thread = t;
          List<Integer> sizes = random.ints(1 + random.nextInt(3), 1, 4).boxed().toList();
          parts.add(
              threads.submit(
                  () -> releases && thread == 0 ? round.release() : round.append(thread, sizes)));
        }
        List<Call> calls = new ArrayList<>();
        for (Future<List<Call>> part : parts) {
          calls.addAll(part.get(20, TimeUnit.SECONDS));
        }
        check(calls, new String(round.disk.content(), StandardCharsets.US_ASCII));
      }
    } finally {
      var _ = threads.shutdownNow();
    }
  }

  private static void check(List<Call> calls, String file) {
    calls.sort(Comparator.comparingLong(call -> call.stored.getFirst().seq()));
    long seq = 0;
    long latestBegin = Long.MIN_VALUE;
    int from = 0;
    for (Call call : calls) {
      assertThat(call.ended)
          .as("an earlier turn than one that had ended")
          .isGreaterThan(latestBegin);
      latestBegin = Math.max(latestBegin, call.begun);
      assertThat(call.stored).hasSameSizeAs(call.numbers);
      for (int i = 0; i < call.stored.size(); i++) {
        Stored stored = call.stored.get(i);
        assertThat(stored.seq()).isEqualTo(++seq);
        int to = (int) stored.position().value();
        assertThat(file.substring(from, to).strip())
            .contains("\"seq\":" + seq + ",", "\"payload\":" + call.numbers.get(i) + ",\"sum\"")
            .doesNotContain("\n");
        from = to;
      }
    }
    assertThat(file).hasSize(from);
  }
}
