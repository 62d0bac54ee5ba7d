package dev.parley.coordination.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.coordination.Team;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.task.Plan;
import dev.parley.coordination.task.TaskState;
import dev.parley.coordination.task.TaskTypes;
import dev.parley.coordination.testing.FullLog;
import dev.parley.core.Bookmark;
import dev.parley.core.Report;
import dev.parley.core.store.Views;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A worker whose disk is full for a while. */
class WorkerTest {
  private final FullLog log = new FullLog();
  private final List<Report> reports = new CopyOnWriteArrayList<>();
  private final Team team = new Team(log, Views.inMemory(), reports::add);
  private Session alice;

  @BeforeEach
  void addTask() {
    alice = team.join("alice");
    team.tasks(alice).add(Plan.of("1"), false);
  }

  @AfterEach
  void close() {
    log.close();
  }

  private Worker.Job start() throws InterruptedException {
    return team.worker(alice, Worker.LEAST_GRACE).start("1", List.of(), "", Duration.ZERO);
  }

  private long signsOfLife() {
    return log.read(Ledger.TOPIC, Bookmark.START, 1000).envelopes().stream()
        .filter(line -> line.type().equals(TaskTypes.PROGRESS))
        .count();
  }

  @Test
  void aSignOfLifeThatCannotBeStoredIsTriedAgainAndTheTaskIsKept() throws Exception {
    try (Worker.Job job = start()) {
      log.fill(true);
      await().until(() -> !reports.isEmpty());
      log.fill(false);

      await().until(() -> signsOfLife() >= 2);
      assertThat(job.lost()).isNull();
      assertThat(reports).allMatch(Report.Retried.class::isInstance);
      assertThat(reports.getFirst().describe()).contains("1", "The disk is full.");
      var _ = job.done(null, List.of(), null);
    }
    TaskState state = team.ledger().look(ledger -> ledger.tasks().task("1").state());
    assertThat(state).isEqualTo(TaskState.DONE);
  }

  /** Another may have the task by then. */
  @Test
  void whoCannotBeHeardOfUntilItsTimeIsOverHasLostItsTask() throws Exception {
    Worker.Job job = start();
    log.fill(true);

    await().until(() -> job.lost() != null);

    assertThat(job.lost().code()).isEqualTo("disk-full");
    await().until(() -> reports.getLast() instanceof Report.Stopped);
  }

  @Test
  void whoseLogIsClosedHasLostItsTaskAtOnce() throws Exception {
    Worker.Job job = start();
    log.close();

    await().until(() -> job.lost() != null);

    await().until(() -> !reports.isEmpty());
    assertThat(reports).singleElement().isInstanceOf(Report.Stopped.class);
  }
}
