package dev.parley.coordination.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.WorkContract;
import dev.parley.coordination.fold.Priority;
import dev.parley.coordination.lease.Grant;
import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.task.FailedTask;
import dev.parley.coordination.task.TaskState;
import dev.parley.coordination.work.TaskList.Claimed;
import dev.parley.coordination.work.TaskList.Terms;
import dev.parley.core.ParleyException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tasks: who may claim one, and how it ends. */
class TaskListTest extends WorkContract {
  @Test
  void ofManyWhoClaimATaskOneHasIt() throws Exception {
    int racers = 8;
    List<Agent> agents = IntStream.range(0, racers).mapToObj(i -> new Agent("r" + i)).toList();
    for (int round = 0; round < 10; round++) {
      String id = "t" + round;
      alice.tasks.add(plan(id), false);
      CyclicBarrier start = new CyclicBarrier(racers);
      List<Future<String>> answers = new ArrayList<>();
      for (Agent agent : agents) {
        answers.add(
            begin(() -> {
              start.await();
              try {
                return agent.tasks.claim(id, Terms.NONE).task() + agent.session.name();
              } catch (RefusedException e) {
                return details(e).text("owner");
              }
            }));
      }
      List<String> all = new ArrayList<>();
      for (Future<String> answer : answers) {
        all.add(get(answer));
      }
      String owner = task(id).owner();
      assertThat(all).filteredOn(answer -> answer.equals(id + owner)).hasSize(1);
      assertThat(all).filteredOn(answer -> answer.equals(owner)).hasSize(racers - 1);
    }
  }

  @Test
  void whoHasATaskMayClaimItAgainAndIsGivenTheSameClaim() {
    alice.tasks.add(plan("1"), false);
    Claimed first = alice.tasks.claim("1", Terms.NONE);

    Claimed again = alice.tasks.claim("1", Terms.NONE);
    assertThat(again.token()).isEqualTo(first.token());
    assertThat(again.until()).isAfterOrEqualTo(first.until());
    assertThat(first.title()).isEqualTo("Title of 1");
    assertThat(task("1").tried()).isEqualTo(1);
    refused("unknown-task", () -> alice.tasks.claim("2", Terms.NONE));
  }

  @Test
  void theNextTaskIsTheMostUrgentOneThatOneIsAbleToDo() {
    alice.tasks.add(plan("old"), false);
    alice.tasks.add(plan("new"), false);
    alice.tasks.add(
        planOf("sql", Priority.HIGH, List.of(), List.of(), List.of("sql", "java"), 1), false);
    alice.tasks.add(
        planOf("urgent", Priority.CRITICAL, List.of(), List.of(), List.of("nobody"), 1), false);
    Agent able = new Agent("able", "java");

    assertThat(bob.tasks.next(Terms.NONE).task()).isEqualTo("old");
    assertThat(able.tasks.next(new Terms(List.of("sql"), null)).task()).isEqualTo("sql");
    assertThat(able.tasks.next(Terms.NONE).task()).isEqualTo("new");
    ParleyException nothing = refused("nothing-ready", () -> bob.tasks.next(Terms.NONE));
    assertThat(details(nothing).number("open", 0)).isEqualTo(4);
  }

  @Test
  void oneCanWaitForATaskToBecomeReady() throws Exception {
    alice.tasks.add(plan("1"), false);
    alice.tasks.add(plan("2", "1"), false);
    alice.tasks.claim("1", Terms.NONE);

    assertThat(bob.tasks.next(Terms.NONE, Duration.ofMillis(10))).isNull();
    Future<Claimed> waits = begin(() -> bob.tasks.next(Terms.NONE, LONG));
    assertThat(alice.tasks.done("1", "abc", List.of("x"), "good")).containsExactly("2");

    assertThat(get(waits).task()).isEqualTo("2");
  }

  @Test
  void whoWaitsForATaskThatItMustNotHaveWaitsQuietly() throws Exception {
    alice.tasks.add(plan("1"), false);
    var _ = bob.team.waits(bob.session).begin("task:1", "", null, LONG);
    int before = lines().size();

    assertThat(bob.tasks.next(Terms.NONE, Duration.ofMillis(200))).isNull();

    assertThat(lines()).hasSize(before + 1);
  }

  @Test
  void theEndOfATaskIsTheBeginningOfOthersOrTheirsToo() {
    alice.tasks.add(plan("1"), false);
    alice.tasks.add(plan("2"), false);
    assertThat(alice.tasks.add(plan("3", "1", "2"), false)).isEqualTo("pending");
    alice.tasks.add(plan("4", "3"), false);
    assertThat(
            details(refused("not-ready", () -> bob.tasks.claim("3", Terms.NONE))).texts("waitsFor"))
        .containsExactly("1", "2");
    alice.tasks.claim("1", Terms.NONE);
    assertThat(alice.tasks.done("1", null, List.of(), null)).isEmpty();
    alice.tasks.claim("2", Terms.NONE);

    FailedTask failed = alice.tasks.fail("2", "does not compile", false);

    assertThat(failed.retry()).isFalse();
    assertThat(failed.skips()).containsExactly("3", "4");
    assertThat(task("2").note()).isEqualTo("does not compile");
    assertThat(task("3").state()).isEqualTo(TaskState.SKIPPED);
    assertThat(task("3").note()).isEqualTo("2 is failed");
    assertThat(task("4").note()).isEqualTo("3 is skipped");
    assertThat(alice.tasks.add(plan("5", "4"), false)).isEqualTo("skipped");
  }

  @Test
  void aTaskIsRetriedAsOftenAsItMayBeTried() {
    alice.tasks.add(planOf("1", Priority.NORMAL, List.of(), List.of(), List.of(), 2), false);
    alice.tasks.add(plan("2", "1"), false);
    alice.tasks.claim("1", Terms.NONE);
    refused("no-retry", () -> bob.tasks.retry("1"));

    assertThat(alice.tasks.fail("1", "flaky", true).retry()).isTrue();
    assertThat(task("2").state()).isEqualTo(TaskState.PENDING);
    bob.tasks.retry("1");
    bob.tasks.claim("1", Terms.NONE);
    assertThat(bob.tasks.fail("1", "flaky again", true).skips()).containsExactly("2");

    ParleyException late = refused("no-retry", () -> bob.tasks.retry("1"));
    assertThat(details(late).number("tried", 0)).isEqualTo(2);
    assertThat(details(late).flag("recoverable")).isTrue();
  }

  @Test
  void toGiveATaskBackIsNoTry() {
    alice.tasks.add(planOf("1", Priority.NORMAL, List.of(), List.of(), List.of(), 1), false);
    for (int i = 0; i < 3; i++) {
      alice.tasks.claim("1", Terms.NONE);
      alice.tasks.release("1", "not now");
    }

    assertThat(task("1").state()).isEqualTo(TaskState.READY);
    assertThat(task("1").tried()).isZero();
    refused("not-yours", () -> alice.tasks.release("1", null));
  }

  @Test
  void aTaskIsCancelledWithAReasonWhoeverHasIt() {
    alice.tasks.add(plan("1"), false);
    alice.tasks.add(plan("2", "1"), false);
    bob.tasks.claim("1", Terms.NONE);
    var _ = bob.locks.lock(LockRequest.of("a").forTask("1"));

    refused("no-reason", () -> alice.tasks.cancel("1", ""));
    assertThat(alice.tasks.cancel("1", "not needed")).containsExactly("2");

    assertThat(task("1").state()).isEqualTo(TaskState.CANCELLED);
    assertThat(task("1").note()).isEqualTo("not needed");
    assertThat(bob.locks.own()).isEmpty();
    refused("not-yours", () -> bob.tasks.done("1", null, List.of(), null));
    refused("over", () -> alice.tasks.cancel("1", "again"));
  }

  @Test
  void aClaimEndsWithTheSilenceOfItsOwnerAndItsLeasesForTheTaskToo() {
    alice.tasks.add(plan("1"), false);
    bob.tasks.claim("1", Terms.NONE);
    var _ = bob.locks.lock(LockRequest.of("a").forTask("1"));
    var _ = bob.locks.lock(LockRequest.of("b"));
    alice.team.sessions().claimsOutlast("alice", SECOND);

    pass(Duration.ofMillis(1_100));

    assertThat(task("1").state()).isEqualTo(TaskState.READY);
    assertThat(task("1").note()).contains("bob was silent");
    assertThat(ledger().leases().all())
        .extracting(lease -> lease.paths().getFirst().toString())
        .containsExactly("b");
    refused("not-yours", () -> bob.tasks.done("1", null, List.of(), null));
    assertThat(alice.tasks.claim("1", Terms.NONE).task()).isEqualTo("1");
  }

  @Test
  void aClaimWithATimeEndsUnlessSomethingIsSaidAboutTheTask() {
    alice.tasks.add(plan("1"), false);
    bob.tasks.claim("1", new Terms(List.of(), Duration.ofSeconds(2)));

    for (int i = 0; i < 3; i++) {
      pass(SECOND);
      bob.tasks.alive("1");
    }
    assertThat(task("1").owner()).isEqualTo("bob");
    pass(SECOND);
    bob.says(); // alive, but not a word about the task
    pass(Duration.ofMillis(1_100));

    assertThat(task("1").state()).isEqualTo(TaskState.READY);
    refused("not-yours", () -> bob.tasks.alive("1"));
  }

  /** The claim of a worker that died is had by who waits for a task, with nobody else about. */
  @Test
  void whoWaitsForATaskNoticesThatAClaimIsOver() throws Exception {
    alice.tasks.add(plan("1"), false);
    bob.tasks.claim("1", new Terms(List.of(), Duration.ofSeconds(2)));
    Future<Claimed> waits = begin(() -> alice.tasks.next(Terms.NONE, LONG));

    place.pass().accept(Duration.ofSeconds(2));

    assertThat(get(waits).task()).isEqualTo("1");
  }

  @Test
  void whoSaysThatATaskIsDoneReleasesItsLeasesWithTheSameLine() {
    alice.tasks.add(plan("1"), false);
    alice.tasks.claim("1", Terms.NONE);
    var _ = alice.locks.lock(LockRequest.of("a", "b").forTask("1"));
    Grant other = alice.locks.lock(LockRequest.of("c"));
    int before = lines().size();

    alice.tasks.done("1", "abc123", List.of("a"), "all tests pass");

    assertThat(lines()).hasSize(before + 1);
    assertThat(alice.locks.own()).extracting(Lease::token).containsExactly(other.token());
    assertThat(task("1").state()).isEqualTo(TaskState.DONE);
    assertThat(task("1").result().commit()).isEqualTo("abc123");
    assertThat(task("1").result().files()).containsExactly("a");
  }

  @Test
  void tasksThatWouldDependOnThemselvesAreRefusedWhenTheyAreAdded() {
    refused("unknown-task", () -> alice.tasks.add(plan("1", "2"), false));
    assertThat(alice.tasks.add(plan("1", "2"), true)).isEqualTo("pending");
    alice.tasks.add(plan("2", "3"), true);

    ParleyException circle = refused("task-cycle", () -> alice.tasks.add(plan("3", "1"), false));

    assertThat(details(circle).texts("cycle")).containsExactly("3", "1", "2", "3");
    refused("task-cycle", () -> alice.tasks.add(plan("4", "4"), true));
    refused("task-exists", () -> alice.tasks.add(plan("1"), false));
    assertThat(alice.tasks.add(plan("3"), false)).isEqualTo("ready");
  }

  @Test
  void whatWasSaidAboutATaskHoldsUntilSomethingElseIsSaid() {
    alice.tasks.add(plan("1"), false);
    alice.tasks.claim("1", Terms.NONE);
    alice.tasks.progress("1", 40, "half of it");
    alice.tasks.block("1", "bob", "a question");
    alice.tasks.alive("1");

    assertThat(task("1").state()).isEqualTo(TaskState.BLOCKED);
    assertThat(task("1").claim().blockedOn()).isEqualTo("bob");
    assertThat(task("1").claim().progress()).isEqualTo(40);
    assertThat(task("1").note()).isEqualTo("a question");
    alice.tasks.progress("1", null, "answered");

    assertThat(task("1").state()).isEqualTo(TaskState.CLAIMED);
    assertThat(task("1").claim().blockedOn()).isNull();
    assertThat(task("1").claim().progress()).isEqualTo(40);
    refused("not-yours", () -> bob.tasks.progress("1", 1, null));
    refused("not-yours", () -> bob.tasks.block("1", "alice", null));
  }
}
