package dev.parley;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.HistoryChecker.Effect;
import dev.parley.HistoryChecker.Operation;
import dev.parley.coordination.board.Agenda;
import dev.parley.coordination.board.Ballot;
import dev.parley.coordination.board.Confidence;
import dev.parley.coordination.board.MissingPolicy;
import dev.parley.coordination.board.Policy;
import dev.parley.coordination.board.Vote;
import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.mail.Draft;
import dev.parley.coordination.mail.MailFilter;
import dev.parley.coordination.task.Plan;
import dev.parley.coordination.work.RefusedException;
import dev.parley.coordination.work.TaskList;
import dev.parley.core.ParleyException;
import dev.parley.core.Seed;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sixteen threads join, send, lock, claim, vote and release on one opened bus. The answers that
 * they got are linearizable for every name, path, task and ballot, also when threads are
 * interrupted at random; and every message arrives once.
 */
class LinearizabilityTest {
  private static final int THREADS = 16;
  private static final int NAMES = 12;
  private static final int PATHS = 4;

  /** On a busy machine the test goes on after its time until there are so many operations. */
  private static final int LEAST = 1000;

  private static final Duration TIME = Duration.ofSeconds(Seed.isLong() ? 60 : 6);

  @TempDir private Path folder;

  private final Map<String, Queue<Operation>> histories = new ConcurrentHashMap<>();
  private final Queue<String> sent = new ConcurrentLinkedQueue<>();
  private final Queue<String> got = new ConcurrentLinkedQueue<>();
  private final AtomicInteger task = new AtomicInteger();
  private final AtomicInteger operations = new AtomicInteger();
  private final AtomicBoolean over = new AtomicBoolean();

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatThreadsAreToldFitsOneOrder(boolean interrupts) throws Exception {
    Random random = Seed.random("linearizability, interrupts " + interrupts);
    long end = System.nanoTime() + TIME.toNanos();
    List<Thread> running = Collections.synchronizedList(new ArrayList<>());
    try (Parley parley = Parley.create(folder.resolve(".parley"));
        ExecutorService threads =
            Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
      List<Future<?>> clients = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Client client = new Client(parley, new Random(random.nextLong()));
        clients.add(
            threads.submit(() -> {
              running.add(Thread.currentThread());
              client.runUntil(end);
              return null;
            }));
      }
      Future<?> disturber = threads.submit(() -> interrupt(interrupts, running, random));
      try {
        for (Future<?> one : clients) {
          one.get();
        }
      } finally {
        over.set(true); // also after a failure, which would never be seen otherwise
      }
      disturber.get();
      var _ = Thread.interrupted();
      for (int i = 0; i < NAMES; i++) {
        try (Agent agent = parley.join("n" + i)) {
          agent.mail().inbox(MailFilter.ANY).stream()
              .filter(letter -> !letter.entry().automatic()) // boards call their electors
              .forEach(letter -> got.add(letter.content().body()));
        }
      }
    }
    for (Map.Entry<String, Queue<Operation>> history : histories.entrySet()) {
      var _ =
          HistoryChecker.check(
              List.copyOf(history.getValue()), text -> history.getKey() + ": " + text);
    }
    Seed.say(
        operations
            + " operations on "
            + histories.size()
            + " objects, "
            + sent.size()
            + " messages in "
            + TIME
            + ", interrupts "
            + interrupts);
    assertThat(got).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(sent);
    assertThat(operations.get()).isGreaterThanOrEqualTo(LEAST);
  }

  private Void interrupt(boolean interrupts, List<Thread> running, Random random) {
    while (interrupts && !over.get()) {
      List<Thread> now = List.copyOf(running);
      if (!now.isEmpty()) {
        now.get(random.nextInt(now.size())).interrupt();
      }
      Thread.onSpinWait();
      java.util.concurrent.locks.LockSupport.parkNanos(200_000);
    }
    return null;
  }

  private interface Call {
    Effect make();
  }

  /** Does something with an object, and notes what the answer says about it. */
  private void note(String object, String what, Call call) {
    long called = System.nanoTime();
    Effect effect = call.make();
    long returned = System.nanoTime();
    operations.incrementAndGet();
    histories
        .computeIfAbsent(object, _ -> new ConcurrentLinkedQueue<>())
        .add(new Operation(what, called, returned, effect));
  }

  private static Effect from(String before, String after) {
    return state -> state.equals(before) ? after : null;
  }

  /** Works under one name after the other. */
  private final class Client {
    private final Parley parley;
    private final Random random;

    Client(Parley parley, Random random) {
      this.parley = parley;
      this.random = random;
    }

    void runUntil(long end) {
      while (System.nanoTime() < end || operations.get() < LEAST) {
        String name = "n" + random.nextInt(NAMES);
        Agent[] joined = {null};
        note(
            "name " + name,
            "join",
            () -> {
              try {
                joined[0] = parley.join(name);
                return from("", "taken");
              } catch (ParleyException e) {
                assertThat(e.code()).isEqualTo("name-taken");
                return from("taken", "taken");
              }
            });
        Agent agent = joined[0];
        if (agent != null) {
          for (int i = 0; i < 10; i++) {
            step(agent);
          }
          note(
              "name " + name,
              "leave",
              () -> {
                agent.close();
                return from("taken", "");
              });
        }
        var _ = Thread.interrupted();
      }
    }

    private void step(Agent agent) {
      switch (random.nextInt(5)) {
        case 0 -> lock(agent, "p" + random.nextInt(PATHS));
        case 1 -> work(agent, "t" + task.get());
        case 2 -> vote(agent);
        default -> send(agent, "n" + random.nextInt(NAMES));
      }
    }

    private void lock(Agent agent, String path) {
      HeldLease[] held = {null};
      note(
          "path " + path,
          agent.name() + " locks",
          () -> {
            try {
              held[0] = agent.lock(path);
              return from("", agent.name());
            } catch (RefusedException e) {
              assertThat(e.code()).isEqualTo("held");
              String holder = Fields.of(e.details()).text("holder", "");
              return from(holder, holder);
            }
          });
      HeldLease lease = held[0];
      if (lease != null) {
        note(
            "path " + path,
            agent.name() + " releases",
            () -> {
              lease.close();
              return from(agent.name(), "");
            });
      }
    }

    private void work(Agent agent, String id) {
      note(
          "task " + id,
          agent.name() + " adds",
          () -> {
            try {
              var _ = agent.tasks().add(Plan.of(id), false);
              return from("", "ready");
            } catch (RefusedException e) {
              assertThat(e.code()).isEqualTo("task-exists");
              return state -> state.isEmpty() ? null : state;
            }
          });
      boolean[] mine = {false};
      note(
          "task " + id,
          agent.name() + " claims",
          () -> {
            try {
              var _ = agent.tasks().claim(id, TaskList.Terms.NONE);
              mine[0] = true;
              return from("ready", agent.name());
            } catch (RefusedException e) {
              if (e.code().equals("over")) {
                return from("done", "done");
              }
              assertThat(e.code()).isEqualTo("claimed");
              String owner = Fields.of(e.details()).text("owner", "");
              return from(owner, owner);
            }
          });
      if (mine[0]) {
        note(
            "task " + id,
            agent.name() + " is done",
            () -> {
              var _ = agent.tasks().done(id, null, List.of(), null);
              return from(agent.name(), "done");
            });
        task.compareAndSet(
            Integer.parseInt(id.substring(1)), Integer.parseInt(id.substring(1)) + 1);
      }
    }

    /** A board of one elector is decided by its one vote. */
    private void vote(Agent agent) {
      Agenda agenda =
          new Agenda(
              "VOTE",
              List.of(agent.name()),
              Policy.usual(1),
              0,
              false,
              false,
              null,
              MissingPolicy.ABSTAIN);
      String board = agent.boards().open(agenda, "?").board();
      for (int i = 0; i < 2; i++) {
        note(
            "board " + board,
            "vote " + i,
            () -> {
              try {
                var _ =
                    agent
                        .boards()
                        .vote(board, new Ballot(Vote.APPROVE, Confidence.FULL, List.of(), ""));
                return from("", "decided");
              } catch (RefusedException e) {
                return from(
                    e.code().equals("decided") ? "decided" : "",
                    e.code().equals("decided") ? "decided" : "");
              }
            });
      }
    }

    private void send(Agent agent, String to) {
      String body = agent.name() + "/" + random.nextLong();
      var _ = agent.mail().sendAnyway(Draft.to(to).says("", body));
      sent.add(body);
    }
  }

  @Test
  void theCheckerFindsTwoHolders() {
    List<Operation> twoHolders =
        List.of(
            new Operation("a locks", 1, 2, from("", "a")),
            new Operation("b locks", 3, 4, from("", "b")),
            new Operation("a releases", 5, 6, from("a", "")));
    assertThatThrownBy(() -> HistoryChecker.check(twoHolders, text -> text))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("b locks");
  }

  @Test
  void theCheckerFindsTheOrderOfOperationsThatOverlap() {
    List<Operation> overlapping =
        List.of(
            new Operation("a locks", 1, 9, from("", "a")),
            new Operation("b is refused", 2, 3, from("a", "a")),
            new Operation("a releases", 10, 12, from("a", "")),
            new Operation("b locks", 11, 13, from("", "b")));
    assertThat(HistoryChecker.check(overlapping, text -> text)).containsExactly("b");
  }
}
