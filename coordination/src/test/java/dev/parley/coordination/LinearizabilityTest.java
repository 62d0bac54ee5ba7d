package dev.parley.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.lease.LeaseTypes;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.task.Plan;
import dev.parley.coordination.task.TaskTypes;
import dev.parley.coordination.work.LockRequest;
import dev.parley.coordination.work.Locks;
import dev.parley.coordination.work.RefusedException;
import dev.parley.coordination.work.TaskList;
import dev.parley.coordination.work.TaskList.Terms;
import dev.parley.core.Envelope;
import dev.parley.core.Log;
import dev.parley.core.Reporter;
import dev.parley.core.Seed;
import dev.parley.core.WholeTopic;
import dev.parley.core.memory.MemoryLog;
import dev.parley.core.store.Views;
import dev.parley.filelog.BusFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever several do at once, there is one order in which all their answers are right, and it is
 * the order of the ledger: nobody's line stands before that of somebody who was done earlier.
 */
class LinearizabilityTest {
  private static final int HISTORIES = Seed.isLong() ? 1_000 : 100;

  /** Every so many are on files. */
  private static final int ON_FILES = 10;

  private static final int CLIENTS = 4;
  private static final int OPERATIONS = 1_000;
  private static final int THINGS = 3;
  private static final Reporter QUIET = report -> {};
  private static final Set<String> TYPES =
      Set.of(LeaseTypes.REQUEST, LeaseTypes.RELEASE, TaskTypes.CLAIM, TaskTypes.RELEASE);

  @TempDir private Path temporary;

  /**
   * Something that a client did.
   *
   * @param what a path, a task or a token
   * @param answer the token that it was given, "ok", or the code of a refusal
   */
  private record Operation(
      String client, String type, String what, long begin, String answer, long end) {}

  /** An operation and where its line stands. */
  private record Placed(Operation operation, long position) {}

  @Test
  void everyHistoryOfLocksAndClaimsIsThatOfOneAfterTheOther() throws Exception {
    Random random = Seed.random("linearizability");
    long refused = 0;
    for (int i = 0; i < HISTORIES; i++) {
      long seed = random.nextLong();
      List<Placed> history = i % ON_FILES == 0 ? onFiles(seed) : inMemory(seed);
      assertThat(history).hasSize(OPERATIONS);
      check(history, "history " + i + ", " + seed);
      refused += history.stream().filter(one -> !isToken(one.operation.answer)).count();
    }
    assertThat(refused).isGreaterThan(HISTORIES * 100L);
    Seed.say(HISTORIES + " histories of " + OPERATIONS + " operations are linear");
  }

  private static boolean isToken(String answer) {
    return Character.isDigit(answer.charAt(0));
  }

  private static List<Placed> inMemory(long seed) throws Exception {
    try (Log log = new MemoryLog()) {
      return history(log, () -> new Team(log, Views.inMemory(), QUIET), seed);
    }
  }

  /** Each client opens the bus for itself, as processes do. */
  private List<Placed> onFiles(long seed) throws Exception {
    Path folder = Files.createTempDirectory(temporary, "bus");
    BusFolder bus = BusFolder.init(folder, folder, Map.of()).folder();
    List<Log> logs = new ArrayList<>();
    try (Log log = bus.openLog()) {
      return history(
          log,
          () -> {
            logs.add(bus.openLog());
            return new Team(logs.getLast(), bus.views(), QUIET);
          },
          seed);
    } finally {
      logs.forEach(Log::close);
    }
  }

  private static List<Placed> history(Log log, Supplier<Team> teams, long seed) throws Exception {
    Team team = teams.get();
    TaskList tasks = team.tasks(team.join("boss"));
    for (int i = 0; i < THINGS; i++) {
      tasks.add(Plan.of("t" + i), false);
    }
    Map<String, List<Operation>> done = new HashMap<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
      CyclicBarrier start = new CyclicBarrier(CLIENTS);
      Map<String, Future<List<Operation>>> clients = new HashMap<>();
      for (int i = 0; i < CLIENTS; i++) {
        Team own = teams.get();
        Session session = own.join("c" + i);
        Client client = new Client(session, own, new Random(seed + i));
        clients.put(
            session.name(),
            threads.submit(() -> {
              start.await();
              return client.run();
            }));
      }
      for (Map.Entry<String, Future<List<Operation>>> client : clients.entrySet()) {
        done.put(client.getKey(), new ArrayList<>(client.getValue().get()));
      }
    }
    List<Placed> placed = new ArrayList<>();
    for (Envelope line : WholeTopic.of(log, Ledger.TOPIC)) {
      if (TYPES.contains(line.type()) && done.containsKey(line.sender())) {
        Operation operation = done.get(line.sender()).removeFirst();
        assertThat(operation.type).isEqualTo(line.type());
        placed.add(new Placed(operation, line.position().value()));
      }
    }
    return placed;
  }

  /** One who does what comes to its mind, and notes what it was told. */
  private static final class Client {
    private final String name;
    private final Locks locks;
    private final TaskList tasks;
    private final Random random;
    private final List<Long> tokens = new ArrayList<>(List.of(1L));
    private final List<Operation> done = new ArrayList<>();

    Client(Session session, Team team, Random random) {
      this.name = session.name();
      this.locks = team.locks(session);
      this.tasks = team.tasks(session);
      this.random = random;
    }

    List<Operation> run() {
      while (done.size() < OPERATIONS / CLIENTS) {
        String path = "p" + random.nextInt(THINGS);
        String task = "t" + random.nextInt(THINGS);
        // Mostly the last token, sometimes an old one.
        long token =
            random.nextInt(4) == 0 ? tokens.get(random.nextInt(tokens.size())) : tokens.getLast();
        switch (random.nextInt(4)) {
          case 0 ->
              note(
                  LeaseTypes.REQUEST,
                  path,
                  () -> {
                    tokens.add(locks.lock(LockRequest.of(path)).token());
                    return Long.toString(tokens.getLast());
                  });
          case 1 ->
              note(
                  LeaseTypes.RELEASE,
                  Long.toString(token),
                  () -> {
                    locks.release(token);
                    return "ok";
                  });
          case 2 ->
              note(
                  TaskTypes.CLAIM,
                  task,
                  () -> Long.toString(tasks.claim(task, Terms.NONE).token()));
          default ->
              note(
                  TaskTypes.RELEASE,
                  task,
                  () -> {
                    tasks.release(task, null);
                    return "ok";
                  });
        }
      }
      return done;
    }

    private void note(String type, String what, Supplier<String> deed) {
      long begin = System.nanoTime();
      String answer;
      try {
        answer = deed.get();
      } catch (RefusedException e) {
        answer = e.code();
      }
      done.add(new Operation(name, type, what, begin, answer, System.nanoTime()));
    }
  }

  private static void check(List<Placed> history, String what) {
    assertThat(history).isSortedAccordingTo(Comparator.comparingLong(Placed::position));
    Model model = new Model();
    long latestBegin = Long.MIN_VALUE;
    for (Placed placed : history) {
      Operation operation = placed.operation;
      if (!model.answer(operation, placed.position).equals(operation.answer)) {
        throw new AssertionError(what + ": " + placed + " in " + model.owners);
      }
      if (operation.end < latestBegin) {
        throw new AssertionError(
            what + ": " + placed + " was done before one that stands before it");
      }
      latestBegin = Math.max(latestBegin, operation.begin);
    }
  }

  /** What paths and tasks are when one thing is done after the other. */
  private static final class Model {
    private record Owner(String client, long token) {}

    private final Map<String, Owner> owners = new HashMap<>();

    String answer(Operation operation, long position) {
      return switch (operation.type) {
        case LeaseTypes.REQUEST -> take(operation, position, "held");
        case TaskTypes.CLAIM -> take(operation, position, "claimed");
        case LeaseTypes.RELEASE -> {
          Owner own = new Owner(operation.client, Long.parseLong(operation.what));
          yield owners.values().remove(own) ? "ok" : "not-held";
        }
        default -> {
          Owner owner = owners.get(operation.what);
          boolean own = owner != null && owner.client.equals(operation.client);
          yield own && owners.remove(operation.what) != null ? "ok" : "not-yours";
        }
      };
    }

    private String take(Operation operation, long position, String refusal) {
      Owner owner =
          owners.computeIfAbsent(operation.what, what -> new Owner(operation.client, position));
      return owner.client.equals(operation.client) ? Long.toString(owner.token) : refusal;
    }
  }
}
