package dev.parley.coordination.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.WorkContract;
import dev.parley.coordination.fold.Priority;
import dev.parley.coordination.lease.Grant;
import dev.parley.coordination.ledger.WaitGraph;
import dev.parley.coordination.task.Plan;
import dev.parley.coordination.task.TaskState;
import dev.parley.coordination.task.TaskTypes;
import dev.parley.coordination.work.TaskList.Claimed;
import dev.parley.coordination.work.TaskList.Terms;
import dev.parley.core.Report;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** The work on a task from the claim to the end. */
class WorkerProtocolTest extends WorkContract {
  private Worker worker(Agent agent) {
    return agent.team.worker(agent.session, Worker.GRACE);
  }

  private static Plan withFiles(String id, String... files) {
    return planOf(id, Priority.NORMAL, List.of(), List.of(files), List.of(), Plan.TRIES);
  }

  /** Seed 1.10. */
  @Test
  void aWorkerTakesThePathsOfItsTaskAndGivesEverythingBackAtTheEnd() throws Exception {
    alice.tasks.add(withFiles("1", "src/a.ts"), false);
    alice.tasks.add(plan("2", "1"), false);
    refused("not-ready", () -> worker(bob).start("2", List.of(), "", Duration.ZERO));

    try (Worker.Job job = worker(bob).start("1", List.of("docs/"), "", Duration.ZERO)) {
      assertThat(job.lost()).isNull();
      assertThat(alice.locks.isGood(job.token(), "src/a.ts", "")).isTrue();
      assertThat(bob.locks.own())
          .extracting(lease -> lease.paths().toString())
          .containsExactlyInAnyOrder("[src/a.ts]", "[docs/]");
      refused("claimed", () -> worker(alice).start("1", List.of(), "", Duration.ZERO));
      job.progress(50, "half");
      assertThat(job.done("abc", List.of("src/a.ts"), "good")).containsExactly("2");
    }

    assertThat(ledger().leases().all()).isEmpty();
    assertThat(task("1").state()).isEqualTo(TaskState.DONE);
    assertThat(task("2").state()).isEqualTo(TaskState.READY);
  }

  /** Seed 1.10. */
  @Test
  void aWorkerWhosePathsAreHeldStandsInLineAndClaimsTheTaskWhenTheyAreFree() throws Exception {
    Grant held = alice.locks.lock(LockRequest.of("src/").in("tree", false));
    alice.tasks.add(withFiles("1", "docs/", "src/a.ts"), false);
    Future<Worker.Job> starts =
        begin(() -> worker(bob).start("1", List.of(), "tree", Duration.ofMinutes(1)));
    await("in line").until(() -> !ledger().graph().from("bob").isEmpty());
    assertThat(task("1").state()).isEqualTo(TaskState.READY);
    assertThat(ledger().graph().from("bob")).extracting(WaitGraph.Edge::to).containsOnly("alice");

    alice.locks.release(held.token());

    try (Worker.Job job = get(starts)) {
      assertThat(task("1").state()).isEqualTo(TaskState.CLAIMED);
      assertThat(alice.locks.isGood(job.token(), "src/a.ts", "tree")).isTrue();
      job.fail("does not work", false);
    }
    assertThat(task("1").state()).isEqualTo(TaskState.FAILED);
    assertThat(ledger().leases().all()).isEmpty();
  }

  @Test
  void aWorkerThatCannotHaveItsPathsGivesTheTaskBackUntried() {
    var _ = alice.locks.lock(LockRequest.of("a"));
    alice.tasks.add(withFiles("1", "a"), false);

    refused("held", () -> worker(bob).start("1", List.of(), "", Duration.ZERO));
    refused("timed-out", () -> worker(bob).start("1", List.of(), "", SECOND));

    assertThat(task("1").state()).isEqualTo(TaskState.READY);
    assertThat(task("1").tried()).isZero();
    assertThat(ledger().leases().waiters()).isEmpty();
    assertThat(ledger().graph().edges()).isEmpty();
  }

  @Test
  void aWorkerThatEndsWithoutAWordHasFailedAndMayTryAgain() throws Exception {
    alice.tasks.add(withFiles("1", "a"), false);

    worker(bob).start("1", List.of(), "", Duration.ZERO).close();

    assertThat(task("1").canBeRetried()).isTrue();
    assertThat(task("1").note()).contains("without a word");
    assertThat(ledger().leases().all()).isEmpty();
  }

  @Test
  void aWorkerThatLivesKeepsItsTaskAndItsPaths() throws Exception {
    alice.tasks.add(withFiles("1", "a"), false);
    var _ = bob.locks.lock(LockRequest.of("b").lasting(Duration.ofSeconds(2)));
    Worker worker = bob.team.worker(bob.session, Worker.LEAST_GRACE);

    try (Worker.Job job = worker.start("1", List.of("b"), "", Duration.ZERO)) {
      job.progress(30, "so far");
      for (int i = 0; i < 4; i++) {
        long before = said(TaskTypes.PROGRESS);
        await("a sign of life").until(() -> said(TaskTypes.PROGRESS) > before);
        pass(SECOND);
      }

      assertThat(job.lost()).isNull();
      assertThat(ledger().leases().all()).hasSize(2);
      assertThat(task("1").note()).isEqualTo("so far");
      job.done(null, List.of(), null);
    }
    assertThat(bob.locks.own())
        .extracting(lease -> lease.paths().toString())
        .containsExactly("[b]");
  }

  private long said(String type) {
    return lines().stream().filter(line -> line.type().equals(type)).count();
  }

  @Test
  void aWorkerLearnsThatItsTaskIsNotItsOwnAnyMoreAndItsOldClaimIsGoodForNothing() throws Exception {
    alice.tasks.add(plan("1"), false);
    Worker worker = bob.team.worker(bob.session, Worker.LEAST_GRACE);
    Worker.Job job = worker.start("1", List.of(), "", Duration.ZERO);
    bob.tasks.release("1", "by another process of bob's");
    Claimed again = bob.tasks.claim("1", Terms.NONE);
    assertThat(again.token()).isNotEqualTo(job.claimed().token());

    refused("not-yours", () -> job.progress(10, null));
    refused("not-yours", () -> job.done(null, List.of(), null));
    await("lost or ended").until(() -> task("1").state() == TaskState.CLAIMED);
    assertThat(task("1").claim().token()).isEqualTo(again.token());

    try (Worker.Job other = worker.start("1", List.of(), "", Duration.ZERO)) {
      alice.tasks.cancel("1", "not needed");
      await("lost").until(() -> other.lost() != null);
      assertThat(other.lost().code()).isEqualTo("not-yours");
      refused("not-yours", () -> other.done(null, List.of(), null));
    }
    await("told").until(() -> reports.size() == 1); // a moment after it is known to be lost
    assertThat(reports.getFirst()).isInstanceOf(Report.Stopped.class);
    reports.clear();
  }
}
