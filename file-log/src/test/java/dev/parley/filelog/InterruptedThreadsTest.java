package dev.parley.filelog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.AppendException;
import dev.parley.core.Bookmark;
import dev.parley.core.Limits;
import dev.parley.core.Message;
import dev.parley.core.Seed;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.filelog.testing.Ack;
import dev.parley.filelog.testing.ReaderFindings;
import dev.parley.filelog.watch.PollingInterval;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An interrupt closes a channel during its use. Only the interrupted thread may notice. */
@Timeout(120)
class InterruptedThreadsTest {
  private static final Topic TOPIC = new Topic("interrupted");
  private static final int INTERRUPTS = Seed.isLong() ? 30_000 : 3_000;

  @TempDir Path folder;
  private FileLog log;
  private final Queue<Ack> acks = new ConcurrentLinkedQueue<>();
  private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
  private final AtomicInteger reported = new AtomicInteger();
  private final AtomicBoolean ending = new AtomicBoolean();

  @BeforeEach
  void open() {
    log = new FileLog(folder, Limits.DEFAULT, PollingInterval.DEFAULT);
  }

  @AfterEach
  void close() {
    log.close();
  }

  private interface Work {
    void doOnce(String name, long n);
  }

  private static Message message(String sender, long n) {
    return Message.builder(sender, "proof")
        .key(Long.toString(n))
        .payload(Json.of("p".repeat((int) (n % 900))))
        .build();
  }

  private void append(String sender, long n) {
    List<Message> messages = List.of(message(sender, 2 * n), message(sender, 2 * n + 1));
    try {
      var stored = log.append(TOPIC, messages);
      for (int i = 0; i < stored.size(); i++) {
        acks.add(Ack.of(messages.get(i), stored.get(i)));
      }
    } catch (AppendException e) {
      reported.incrementAndGet();
      throw e;
    }
  }

  private void read(String name, long n) {
    Bookmark end = log.end(TOPIC);
    var _ = log.read(TOPIC, Bookmark.START, 50);
    var _ = log.read(TOPIC, end, 50);
  }

  private Thread start(String name, Work work) {
    return Thread.ofPlatform()
        .start(() -> {
          for (long n = 1; !ending.get(); n++) {
            try {
              work.doOnce(name, n);
            } catch (RuntimeException | Error e) {
              errors.add(e);
            }
          }
        });
  }

  /** A thread that is interrupted once in each of its operations. */
  private final class Victim {
    private final Semaphore begun = new Semaphore(0);
    private final Semaphore interrupted = new Semaphore(0);
    private final AtomicInteger lostFlags = new AtomicInteger();
    private final Thread thread;

    Victim(String name, Work work) {
      thread = Thread.ofPlatform().start(() -> run(name, work));
    }

    private void run(String name, Work work) {
      for (int n = 1; n <= INTERRUPTS; n++) {
        begun.release();
        try {
          work.doOnce(name, n);
        } catch (RuntimeException | Error e) {
          errors.add(e);
        }
        interrupted.acquireUninterruptibly();
        if (!Thread.interrupted()) {
          lostFlags.incrementAndGet();
        }
      }
    }

    void interruptAll(Random random) throws InterruptedException {
      for (int n = 1; n <= INTERRUPTS; n++) {
        begun.acquire();
        for (int spins = random.nextInt(2000); spins > 0; spins--) {
          Thread.onSpinWait();
        }
        thread.interrupt();
        interrupted.release();
      }
    }
  }

  @Test
  void anInterruptedAppendIsStoredOnceItsFlagStaysAndOthersGoOn() throws Exception {
    Random random = Seed.random("interrupted appends");
    List<Thread> others = List.of(start("other-1", this::append), start("other-2", this::read));
    Victim victim = new Victim("victim", this::append);
    victim.interruptAll(random);
    end(others, victim);

    assertThat(errors).isEmpty();
    assertThat(victim.lostFlags).hasValue(0);
    ReaderFindings reading = ReaderFindings.of(folder, TOPIC);
    reading.holds(acks);
    reading.hasNoGaps();
    assertThat(reading.damage()).isEmpty();
    assertThat(reading.count()).isEqualTo(acks.size());
    Seed.say(INTERRUPTS + " interrupts, " + acks.size() + " acknowledged, none lost, none doubled");
  }

  @Test
  void anInterruptedReadGoesOnItsFlagStaysAndOthersAreNotDisturbed() throws Exception {
    Random random = Seed.random("interrupted reads");
    append("first", 1);
    List<Thread> others = List.of(start("other-1", this::read), start("other-2", this::append));
    Victim victim = new Victim("victim", this::read);
    victim.interruptAll(random);
    end(others, victim);
    assertThat(errors).isEmpty();
    assertThat(victim.lostFlags).hasValue(0);
    ReaderFindings.of(folder, TOPIC).holds(acks);
  }

  private void end(List<Thread> others, Victim victim) throws InterruptedException {
    ending.set(true);
    List<Thread> all = new ArrayList<>(others);
    all.add(victim.thread);
    for (Thread thread : all) {
      thread.join();
    }
  }
}
