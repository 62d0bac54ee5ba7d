package dev.parley.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.fold.FoldReader;
import dev.parley.coordination.lease.Grant;
import dev.parley.coordination.lease.LeaseTypes;
import dev.parley.coordination.lease.Waiter;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.task.Plan;
import dev.parley.coordination.task.Task;
import dev.parley.coordination.task.TaskState;
import dev.parley.coordination.work.LockRequest;
import dev.parley.coordination.work.Locks;
import dev.parley.coordination.work.TaskList.Terms;
import dev.parley.core.Envelope;
import dev.parley.core.Reporter;
import dev.parley.core.Seed;
import dev.parley.core.WholeTopic;
import dev.parley.core.store.Views;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes that want the same paths and tasks of one bus of files. */
class WorkBetweenProcessesTest {
  private static final int RACERS = 8;
  private static final int TASKS = 500;
  private static final int TURNS = Seed.isLong() ? 250 : 15;
  private static final int KILLS = Seed.isLong() ? 100 : 2;
  private static final int STOPS = Seed.isLong() ? 200 : 2;

  @TempDir private Path temporary;
  private final List<AgentProcess> processes = new ArrayList<>();
  private Path folder;
  private FileLog log;
  private Team team;
  private Session boss;
  private Locks locks;

  @BeforeEach
  void openBus() {
    BusFolder bus = BusFolder.init(null, temporary, Map.of()).folder();
    folder = bus.path();
    log = bus.openLog();
    team = new Team(log, bus.views(), Reporter.TO_LOG);
    boss = team.join("boss");
    locks = team.locks(boss);
  }

  @AfterEach
  void closeBus() {
    processes.forEach(AgentProcess::close);
    log.close();
  }

  private AgentProcess start(String name, String... what) throws Exception {
    Session session = team.join(name);
    AgentProcess process = new AgentProcess(WorkMain.class, temporary, folder, session, what);
    processes.add(process);
    return process;
  }

  private Ledger ledger() {
    return new FoldReader<>(log, Views.inMemory(), report -> {}, Ledger.KIND).refresh();
  }

  private static void await(String what, Callable<Boolean> condition) {
    Awaitility.await(what)
        .pollInterval(Duration.ofMillis(5))
        .atMost(WorkMain.LONG)
        .until(condition);
  }

  private void awaitInLine(int waiters) {
    await(waiters + " in line", () -> ledger().leases().waiters().size() == waiters);
  }

  /** Starts all racers, and lets them go when all are ready. */
  private void race(String... what) throws Exception {
    for (int i = 0; i < RACERS; i++) {
      var _ = start("r" + i, what);
    }
    for (AgentProcess racer : processes) {
      var _ = racer.awaitWord("ready");
    }
    for (AgentProcess racer : processes) {
      racer.tell("go");
    }
  }

  @Test
  void everyTaskHasOneWinnerAndNoneIsForgotten() throws Exception {
    long begin = System.nanoTime();
    for (int i = 0; i < TASKS; i++) {
      team.tasks(boss).add(Plan.of("t" + i), false);
    }
    race("tasks");
    Map<String, String> winners = new HashMap<>();
    for (int i = 0; i < RACERS; i++) {
      processes.get(i).finish();
      for (String task : processes.get(i).said("won")) {
        assertThat(winners.put(task, "r" + i)).as("another winner of " + task).isNull();
      }
    }

    assertThat(winners).hasSize(TASKS);
    assertThat(new HashSet<>(winners.values())).as("of several racers").hasSizeGreaterThan(1);
    for (Task task : ledger().tasks().all()) {
      assertThat(task.state()).isEqualTo(TaskState.DONE);
      assertThat(task.tried()).isEqualTo(1);
      assertThat(task.owner()).isEqualTo(winners.get(task.id()));
    }
    Seed.say(TASKS + " tasks, each done once by one of " + RACERS + " processes" + since(begin));
  }

  private static String since(long begin) {
    return ", in " + Duration.ofNanos(System.nanoTime() - begin).toMillis() + " ms";
  }

  @Test
  void whoHoldsAPathHoldsItAloneAndEveryoneHasItsTurn() throws Exception {
    long begin = System.nanoTime();
    Path file = temporary.resolve("the-path");
    race("turns", Integer.toString(TURNS), file.toString());
    List<String> tokens = new ArrayList<>();
    for (AgentProcess racer : processes) {
      racer.finish();
      assertThat(racer.said("held")).hasSize(TURNS);
      tokens.addAll(racer.said("held"));
    }

    assertThat(tokens).doesNotHaveDuplicates();
    assertThat(ledger().leases().all()).isEmpty();
    assertThat(ledger().leases().waiters()).isEmpty();
    Seed.say(tokens.size() + " turns of " + RACERS + " processes on one path" + since(begin));
  }

  @Test
  void ifTheFirstWhoWaitsIsKilledTheSecondHoldsWithinTheTimeOfAnOfferAndASecond() throws Exception {
    Duration slowest = Duration.ZERO;
    for (int i = 0; i < KILLS; i++) {
      Grant grant = locks.lock(LockRequest.of("a"), WorkMain.LONG);
      AgentProcess first = start("first" + i, "hold", "a", "60");
      awaitInLine(1);
      AgentProcess second = start("second" + i, "hold", "a", "60");
      awaitInLine(2);

      first.kill();
      locks.release(grant.token());
      long token = Long.parseLong(second.awaitWord("holds"));

      Duration took = between(LeaseTypes.RELEASE, token);
      assertThat(took).isBetween(Waiter.OFFER, Waiter.OFFER.plusSeconds(1));
      slowest = took.compareTo(slowest) > 0 ? took : slowest;
      second.finish();
      locks.breakOff(token, "its process has ended");
    }
    Seed.say(KILLS + " first waiters killed, the second holds after " + slowest + " at most");
  }

  /** How long it took from the last line of a type before a lease to the lease. */
  private Duration between(String type, long token) {
    Envelope from = null;
    for (Envelope line : WholeTopic.of(log, Ledger.TOPIC)) {
      if (line.position().value() == token) {
        return Duration.between(from.time(), line.time());
      }
      from = line.type().equals(type) ? line : from;
    }
    throw new AssertionError("no line " + token);
  }

  @Test
  void behindADeadHolderAndADeadWaiterTheLivingGoOnInTheirOrder() throws Exception {
    AgentProcess holder = start("holder", "hold", "a", "8");
    var _ = holder.awaitWord("holds");
    List<AgentProcess> waiting = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      waiting.add(start("w" + i, "hold", "a", "1"));
      awaitInLine(i + 1);
    }

    holder.kill();
    waiting.get(0).kill();
    waiting.get(2).kill();

    long first = Long.parseLong(waiting.get(1).awaitWord("holds"));
    long second = Long.parseLong(waiting.get(3).awaitWord("holds"));
    assertThat(second).isGreaterThan(first);
  }

  @Test
  void whoIsStoppedAndComesBackTooLateIsRefusedEverything() throws Exception {
    for (int i = 0; i < STOPS; i++) {
      team.tasks(boss).add(Plan.of("t" + i), false);
    }
    AgentProcess holder = start("holder", "late", Integer.toString(STOPS));
    for (int i = 0; i < STOPS; i++) {
      int round = i;
      await("holds", () -> holder.said("holds").size() > round);
      holder.signal("STOP");
      Grant grant = locks.lock(LockRequest.of("a"), WorkMain.LONG);
      String task = "t" + i;
      await("the task", () -> ledger().tasks().task(task).state() == TaskState.READY || beat());
      team.tasks(boss).claim(task, Terms.NONE);

      holder.signal("CONT");
      holder.tell("go on");
      await("late", () -> holder.said("late").size() > round);

      assertThat(holder.said("late").get(i))
          .isEqualTo(
              "good=false not-held not-held not-held not-held not-yours not-yours good=false");
      assertThat(locks.isGood(grant.token(), "a", "")).isTrue();
      assertThat(ledger().tasks().task(task).owner()).isEqualTo("boss");
      locks.release(grant.token());
    }
    holder.finish();
    Seed.say(STOPS + " times stopped and too late: refused everything");
  }

  /** Time goes on in the ledger only if somebody says so. */
  private boolean beat() {
    var _ = team.sessions().heartbeat(boss, dev.parley.coordination.ledger.Sessions.Beat.ALIVE);
    return false;
  }
}
