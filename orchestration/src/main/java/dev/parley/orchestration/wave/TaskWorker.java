package dev.parley.orchestration.wave;

import dev.parley.coordination.Team;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.work.RefusedException;
import dev.parley.coordination.work.Worker;
import dev.parley.core.ParleyException;
import dev.parley.orchestration.ask.JoinedSession;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.loop.BusWorkers;
import dev.parley.orchestration.loop.OtherWorkers;
import dev.parley.orchestration.loop.TreeCommands;
import dev.parley.orchestration.plan.PlannedTask;
import dev.parley.text.Explanation;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The bus session that works on a task: it has claimed the task and holds leases on its files. */
final class TaskWorker implements AutoCloseable {
  private final Team team;
  private final Session session;
  private final PlannedTask task;
  private final int wave;
  private final WaveBoards boards;
  private final Map<String, String> variables = new HashMap<>();
  private Worker.@Nullable Job job;

  private TaskWorker(Team team, Session session, PlannedTask task, int wave, WaveBoards boards) {
    this.team = team;
    this.session = session;
    this.task = task;
    this.wave = wave;
    this.boards = boards;
  }

  /**
   * Begins a session and claims the task.
   *
   * @param slot of its worktrees
   * @throws ParleyException REFUSED if others hold its files for longer than it may wait
   */
  static TaskWorker begin(
      Run run, PlannedTask task, int slot, int wave, WaveBoards boards, Duration wait)
      throws InterruptedException, IOException {
    Team team = run.context().team();
    TaskWorker worker =
        new TaskWorker(
            team, JoinedSession.of(run, task.name(), WaveTypes.SESSION), task, wave, boards);
    try {
      worker.variables(run, slot);
      worker.job =
          team.worker(worker.session, Worker.GRACE)
              .start(ledgerName(run.id(), task.number()), List.of(), "", wait);
      return worker;
    } catch (RuntimeException | InterruptedException | IOException e) {
      worker.close();
      throw e;
    }
  }

  /** The surroundings of its loop. */
  OtherWorkers surroundings() throws IOException {
    return new BusWorkers(team, session, boards.bulletin(wave), variables, boards.board(wave));
  }

  /** The name of a task in the ledger. */
  static String ledgerName(String run, int number) {
    return run + "." + number;
  }

  private void variables(Run run, int slot) throws IOException {
    variables.putAll(TreeCommands.variables(run, slot));
    variables.put("PARLEY_AGENT", session.name());
    variables.put("PARLEY_SESSION", session.token());
    variables.put("PARLEY_WAVE", Integer.toString(wave));
    variables.put("PARLEY_BULLETIN", boards.bulletin(wave));
    variables.put("BUS_DIR", boards.folder().toString());
    variables.put("BOARD_DIR", boards.folder(wave).toString());
    variables.put("BOARD_TOPIC", WaveBoards.topic(wave));
    variables.put("PARLEY_TASK", ledgerName(run.id(), task.number()));
  }

  /**
   * Reports the task as done.
   *
   * @return why the bus refused that; empty if it did not
   */
  String done(String commit, List<String> files) {
    return end(open -> open.done(commit, files, null));
  }

  /** As {@link #done}, of a task that failed. */
  String failed(String why) {
    return end(open -> open.fail(why, false));
  }

  private String end(Consumer<Worker.Job> how) {
    Worker.Job open = job;
    job = null;
    try {
      if (open != null) {
        how.accept(open);
      }
      return "";
    } catch (RefusedException e) {
      return Explanation.of(e).message();
    }
  }

  /** Ends the session. An unfinished task can be claimed again. */
  @Override
  public void close() {
    team.sessions().leave(session, "its task is over");
    job = null;
  }
}
