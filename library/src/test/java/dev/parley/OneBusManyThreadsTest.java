package dev.parley;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.mail.Draft;
import dev.parley.coordination.mail.MailFilter;
import dev.parley.coordination.mail.ReceivedMail;
import dev.parley.coordination.task.Plan;
import dev.parley.coordination.work.RefusedException;
import dev.parley.coordination.work.TaskList;
import dev.parley.core.Seed;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One opened bus serves many threads. What they are told contradicts nothing: a path has one holder
 * at a time and a task one owner, and every message that was sent arrives once.
 */
class OneBusManyThreadsTest {
  private static final int THREADS = 16;
  private static final Duration TIME = Duration.ofSeconds(Seed.isLong() ? 60 : 8);
  private static final int THINGS = 4;

  @TempDir private Path folder;

  private final Map<String, AtomicInteger> holders = new ConcurrentHashMap<>();
  private final Set<String> sent = ConcurrentHashMap.newKeySet();
  private final Queue<String> got = new ConcurrentLinkedQueue<>();
  private final AtomicInteger granted = new AtomicInteger();
  private final AtomicInteger claimed = new AtomicInteger();
  private final AtomicInteger tasks = new AtomicInteger();

  @Test
  void nothingThatThreadsAreToldContradictsWhatOthersAreTold() throws Exception {
    Random random = Seed.random("one bus, many threads");
    long end = System.nanoTime() + TIME.toNanos();
    try (Parley parley = Parley.create(folder.resolve(".parley"));
        ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Client client = new Client(parley, "c" + i, new Random(random.nextLong()));
        running.add(threads.submit(() -> client.runUntil(end)));
      }
      for (Future<?> one : running) {
        one.get();
      }
      for (int i = 0; i < THREADS; i++) {
        try (Agent agent = parley.join("c" + i)) {
          drain(agent);
        }
      }
    }
    Seed.say(granted + " leases, " + claimed + " claims, " + sent.size() + " messages in " + TIME);
    assertThat(got).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(sent);
    assertThat(granted.get()).isGreaterThan(100);
    assertThat(claimed.get()).isGreaterThan(20);
  }

  private void drain(Agent agent) {
    List<ReceivedMail> letters = agent.mail().inbox(MailFilter.ANY);
    agent.mail().acknowledge(letters.stream().map(letter -> letter.entry().id()).toList());
    letters.forEach(letter -> got.add(letter.content().body()));
  }

  private void hold(String thing) {
    assertThat(holders.computeIfAbsent(thing, _ -> new AtomicInteger()).incrementAndGet())
        .as(thing)
        .isOne();
  }

  private void letGo(String thing) {
    holders.computeIfAbsent(thing, _ -> new AtomicInteger()).decrementAndGet();
  }

  /** Joins, works for a while and leaves, again and again. */
  private final class Client {
    private final Parley parley;
    private final String name;
    private final Random random;

    Client(Parley parley, String name, Random random) {
      this.parley = parley;
      this.name = name;
      this.random = random;
    }

    Void runUntil(long end) throws InterruptedException {
      while (System.nanoTime() < end) {
        try (Agent agent = parley.join(name)) {
          for (int i = 0; i < 20 && System.nanoTime() < end; i++) {
            step(agent);
          }
        }
      }
      return null;
    }

    private void step(Agent agent) throws InterruptedException {
      switch (random.nextInt(4)) {
        case 0 -> lock(agent, "p" + random.nextInt(THINGS));
        case 1 -> work(agent);
        case 2 -> send(agent, "c" + random.nextInt(THREADS));
        default -> drain(agent);
      }
    }

    private void lock(Agent agent, String path) {
      try (HeldLease lease = agent.lock(path)) {
        hold(path);
        granted.incrementAndGet();
        assertThat(lease.isGood(path)).isTrue();
        letGo(path);
      } catch (RefusedException e) {
        assertThat(e.code()).isEqualTo("held");
      }
    }

    private void work(Agent agent) throws InterruptedException {
      var _ = agent.tasks().add(Plan.of("t" + tasks.incrementAndGet()), false);
      TaskList.Claimed mine = agent.tasks().next(TaskList.Terms.NONE, Duration.ZERO);
      if (mine != null) {
        hold(mine.task());
        claimed.incrementAndGet();
        var _ = agent.tasks().done(mine.task(), null, List.of(), null);
      }
    }

    private void send(Agent agent, String to) {
      String body = name + "/" + random.nextLong();
      sent.add(body);
      var _ = agent.mail().sendAnyway(Draft.to(to).says("", body));
    }
  }
}
