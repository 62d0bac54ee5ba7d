package dev.parley.orchestration.wave;

import dev.parley.coordination.Team;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.work.Worker;
import dev.parley.core.ParleyException;
import dev.parley.orchestration.ask.JoinedSession;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.loop.BusSurroundings;
import dev.parley.orchestration.loop.Surroundings;
import dev.parley.orchestration.plan.PlannedTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The bus session that works on a task: it has claimed the task and holds leases on its files. */
final class TaskWorker implements AutoCloseable {
  /** How many ports each worktree gets. */
  private static final int PORTS = 20;

  private static final int FIRST_PORT = 20_000;
  private static final int SLOTS = 2_000;

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
   * @throws ParleyException REFUSED if others hold its files for longer than it may wait
   */
  static TaskWorker begin(Run run, PlannedTask task, int wave, WaveBoards boards, Duration wait)
      throws InterruptedException, IOException {
    Team team = run.context().team();
    TaskWorker worker =
        new TaskWorker(
            team, JoinedSession.of(run, task.name(), WaveTypes.SESSION), task, wave, boards);
    try {
      worker.variables(run);
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
  Surroundings surroundings() throws IOException {
    return new BusSurroundings(team, session, boards.bulletin(wave), variables, boards.board(wave));
  }

  Map<String, String> variables() {
    return variables;
  }

  /** The name of a task in the ledger. */
  static String ledgerName(String run, int number) {
    return run + "." + number;
  }

  private void variables(Run run) throws IOException {
    Path temporary = run.folder().path().resolve("tmp").resolve(task.name());
    Files.createDirectories(temporary);
    variables.put("PARLEY_AGENT", session.name());
    variables.put("PARLEY_SESSION", session.token());
    variables.put("PARLEY_WAVE", Integer.toString(wave));
    variables.put("PARLEY_BULLETIN", boards.bulletin(wave));
    variables.put("BUS_DIR", boards.folder().toString());
    variables.put("BOARD_DIR", boards.folder(wave).toString());
    variables.put("BOARD_TOPIC", WaveBoards.topic(wave));
    variables.put("PARLEY_TASK", ledgerName(run.id(), task.number()));
    variables.put("PARLEY_SLOT", Integer.toString(task.number()));
    variables.put("PARLEY_PORT_BASE", Integer.toString(FIRST_PORT + task.number() % SLOTS * PORTS));
    variables.put("TMPDIR", temporary.toString());
  }

  void done(String commit, List<String> files) {
    Worker.Job open = job;
    if (open != null) {
      var _ = open.done(commit, files, null);
      job = null;
    }
  }

  void failed(String why) {
    Worker.Job open = job;
    if (open != null) {
      var _ = open.fail(why, false);
      job = null;
    }
  }

  /** Ends the session. An unfinished task can be claimed again. */
  @Override
  public void close() {
    team.sessions().leave(session, "its task is over");
    job = null;
  }
}
