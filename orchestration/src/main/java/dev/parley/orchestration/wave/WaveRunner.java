package dev.parley.orchestration.wave;

import dev.parley.coordination.Team;
import dev.parley.coordination.fold.Priority;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.ledger.Sessions;
import dev.parley.coordination.task.Plan;
import dev.parley.coordination.task.Task;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.ask.RunContext;
import dev.parley.orchestration.ask.RunLimits;
import dev.parley.orchestration.ask.RunRecord;
import dev.parley.orchestration.gate.Evidence;
import dev.parley.orchestration.git.FastForward;
import dev.parley.orchestration.git.Git;
import dev.parley.orchestration.git.TreeState;
import dev.parley.orchestration.git.Worktrees;
import dev.parley.orchestration.loop.Loop;
import dev.parley.orchestration.loop.LoopResult;
import dev.parley.orchestration.loop.LoopSettings;
import dev.parley.orchestration.loop.TreeCommands;
import dev.parley.orchestration.plan.PlannedTask;
import dev.parley.orchestration.plan.Waves;
import dev.parley.orchestration.wave.TaskStatus.State;
import dev.parley.text.Explanation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries out a plan.
 *
 * <pre>
 * for each wave: loops at the same time, each in a worktree from the tip ──▶ merges, one at a time
 *                  ▲                                                            │
 *                  └── conflict, or failed after the merge: again, from the new tip┘
 * at the end: the user's branch is fast-forwarded, if it is where it was and clean
 * </pre>
 *
 * <p>Every decision follows from the log and from git, so {@link #resume} can continue after a
 * crash at any moment. A merge counts once the merged branch points to it. If that is not in the
 * log, the evidence of its gates is, and the commit's trailers tell the task.
 */
public final class WaveRunner {
  public static final String KIND = "waves";

  private final Run run;
  private final Git git;
  private final WaveRecord record;
  private final TreeCommands commands;
  private final Merges merges;
  private final Session session;
  private @Nullable WaveBoards boards;
  private final Map<Integer, TaskWorker> workers = new HashMap<>();
  private final TaskTrees trees;
  private final List<String> remarks = new ArrayList<>();

  private WaveRunner(Run run, Git git, WaveRecord record) {
    this.run = run;
    this.git = git;
    this.record = record;
    WaveSettings settings = record.settings();
    this.commands =
        new TreeCommands(run, settings.setUp(), settings.tearDown(), settings.times().test());
    this.merges = new Merges(run, git, record, commands, this::remark);
    this.session = Session.begin("waves-" + run.id());
    this.trees = new TaskTrees(git, record.trees(git), commands, this::remark, run::tell);
  }

  /**
   * Carries out a plan from its beginning.
   *
   * @param began receives the run, so that it can be stopped
   */
  public static WaveReport begin(
      RunContext context,
      Git git,
      String plan,
      WaveSettings settings,
      RunLimits limits,
      Consumer<Run> began)
      throws IOException, InterruptedException {
    WaveStart start = WaveStart.check(git, plan, settings.allowMain());
    Json parameters =
        WaveRecord.parameters(
            plan,
            String.valueOf(start.state().branch()),
            String.valueOf(start.state().head()),
            settings);
    try (Run run = Run.begin(context, KIND, parameters, limits)) {
      began.accept(run);
      return new WaveRunner(run, git, WaveRecord.begin(run.id(), parameters)).carryOut();
    }
  }

  /** Resumes a run that was stopped or killed. */
  public static WaveReport resume(
      RunContext context, Git git, String id, RunLimits limits, Consumer<Run> began)
      throws IOException, InterruptedException {
    RunRecord known = RunRecord.named(context.log(), id);
    if (!known.kind().equals(KIND)) {
      throw ParleyException.refused(
          "other-run",
          "The run " + known.id() + " is not a run of waves; its kind is " + known.kind() + ".",
          "parley runs list shows what there is.");
    }
    try (Run run = Run.resume(context, known.id(), limits)) {
      began.accept(run);
      WaveRecord record = WaveRecord.of(context.log(), RunRecord.named(context.log(), known.id()));
      Team team = context.team();
      record
          .sessions()
          .forEach((id2, agent) -> team.sessions().end(agent, id2, "its run was killed"));
      WaveRunner runner = new WaveRunner(run, git, record);
      runner.recover();
      return runner.carryOut();
    }
  }

  /** Reconciles the log with git. */
  private void recover() throws IOException, InterruptedException {
    TaskStatus merged = merges.unrecorded();
    if (merged != null) {
      say(merged);
    }
    for (TaskStatus status : record.tasks()) {
      if (status.state() == State.RUNNING) {
        // Its agent's unfinished work is saved; the task begins anew in another worktree.
        trees.remove(status, slot(status.number()));
        say(status.to(State.PENDING, "its run was killed"));
      }
    }
  }

  private WaveReport carryOut() throws IOException, InterruptedException {
    run.say(
        WaveTypes.SESSION,
        Json.object().put("agent", session.name()).put("session", session.id()).build());
    Team team = run.context().team();
    var _ = team.sessions().join(session, Sessions.Profile.NONE);
    try (WaveBoards opened = WaveBoards.open(run, git.folder())) {
      boards = opened;
      enter(team);
      Set<String> outside = Set.copyOf(TreeState.of(git).changed());
      tellLedger(team);
      merges.open();
      for (int wave = 0; wave < record.waves().size() && !run.isStopped(); wave++) {
        wave(wave, team);
        lookOutside(outside, wave);
      }
      return finish();
    } finally {
      workers.values().forEach(TaskWorker::close);
      team.sessions().leave(session, "its run is over");
    }
  }

  /** Adds the plan's tasks to the ledger, once. */
  private void enter(Team team) {
    Map<Integer, Set<Integer>> dependencies = Waves.dependencies(record.plan());
    for (List<PlannedTask> wave : record.waves()) {
      for (PlannedTask task : wave) {
        String id = TaskWorker.ledgerName(run.id(), task.number());
        if (team.ledger().look(ledger -> ledger.tasks().task(id) != null)) {
          continue;
        }
        List<String> after =
            dependencies.getOrDefault(task.number(), Set.of()).stream()
                .map(other -> TaskWorker.ledgerName(run.id(), other))
                .toList();
        var _ =
            team.tasks(session)
                .add(
                    new Plan(
                        id,
                        task.title(),
                        task.body(),
                        after,
                        List.of(),
                        task.files(),
                        List.of(),
                        Priority.NORMAL,
                        Plan.MOST_TRIES),
                    false);
      }
    }
  }

  /** Completes in the ledger the tasks whose end a killed process did not report. */
  private void tellLedger(Team team) throws IOException, InterruptedException {
    for (TaskStatus status : record.tasks()) {
      String commit = status.commit();
      if (isOpen(team, status.number()) && status.state() == State.MERGED && commit != null) {
        done(worker(record.planned(status.number()), status.wave()), status, commit, List.of());
      }
    }
  }

  /** Whether a task is not over in the ledger. */
  private boolean isOpen(Team team, int number) {
    String id = TaskWorker.ledgerName(run.id(), number);
    return team.ledger()
        .look(ledger -> {
          Task task = ledger.tasks().task(id);
          return task != null && !task.state().isOver();
        });
  }

  /** Reports a merged task as done, and ends its session. */
  private void done(TaskWorker worker, TaskStatus status, String commit, List<String> files)
      throws IOException, InterruptedException {
    String refused = worker.done(commit, files);
    worker.close();
    if (!refused.isEmpty() && isOpen(run.context().team(), status.number())) {
      // Its session was ended by somebody else, and so its claim.
      try (TaskWorker again = worker(record.planned(status.number()), status.wave())) {
        refused = again.done(commit, files);
      }
    }
    told(status.number(), refused);
  }

  private TaskWorker worker(PlannedTask task, int wave) throws IOException, InterruptedException {
    return TaskWorker.begin(
        run,
        task,
        slot(task.number()),
        wave,
        Objects.requireNonNull(boards),
        record.settings().fileWait());
  }

  /** The slot of a task's worktrees: its place in the plan, from 1. */
  private int slot(int task) {
    return record.plan().indexOf(record.planned(task)) + 1;
  }

  private void wave(int wave, Team team) throws IOException, InterruptedException {
    WaveBoards open = Objects.requireNonNull(boards);
    if (wave > 0) {
      var _ = team.bulletins().carry(session, open.bulletin(wave - 1), open.bulletin(wave));
    }
    var _ = open.board(wave).exchange();
    run.tell("=== Wave " + (wave + 1) + "/" + record.waves().size() + " ===");
    while (!run.isStopped()) {
      List<PlannedTask> ready = new ArrayList<>();
      List<PlannedTask> worked = new ArrayList<>();
      for (PlannedTask task : record.waves().get(wave)) {
        switch (record.task(task.number()).state()) {
          case PENDING -> ready.add(task);
          case WORKED -> worked.add(task);
          default -> {}
        }
      }
      if (ready.isEmpty() && worked.isEmpty()) {
        return;
      }
      work(ready, wave);
      for (PlannedTask task : record.waves().get(wave)) {
        if (record.task(task.number()).state() == State.WORKED && !run.isStopped()) {
          merge(task, wave);
        }
      }
    }
  }

  /** Works on tasks, as many at a time as the settings allow. */
  private void work(List<PlannedTask> tasks, int wave) throws IOException, InterruptedException {
    Map<PlannedTask, Future<LoopResult>> loops = new LinkedHashMap<>();
    String tip = merges.tip();
    try (ExecutorService pool =
        Executors.newFixedThreadPool(
            record.settings().concurrent(), Thread.ofPlatform().name("task-", 1).factory())) {
      for (PlannedTask task : tasks) {
        loops.put(task, pool.submit(() -> loop(task, wave, tip)));
      }
      for (Map.Entry<PlannedTask, Future<LoopResult>> loop : loops.entrySet()) {
        settle(loop.getKey(), loop.getValue());
      }
    } catch (InterruptedException e) {
      run.stop();
      throw e;
    }
  }

  private void settle(PlannedTask task, Future<LoopResult> loop)
      throws IOException, InterruptedException {
    TaskStatus status = record.task(task.number());
    try {
      LoopResult result = loop.get();
      status = record.task(task.number());
      String commit = result.commit();
      result.remarks().forEach(text -> remark(task.name() + ": " + text));
      if (result.done() && commit != null) {
        say(status.at(State.WORKED, commit));
        return;
      }
      if (result.saved() != null) {
        remark(task.name() + ": its work is on the branch " + result.saved());
      }
      if (result.outcome() == LoopResult.Outcome.STOPPED || run.isStopped()) {
        say(status.to(State.PENDING, "stopped"));
        trees.remove(status, slot(task.number()));
        return;
      }
      fail(task, result.why());
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof ParleyException cause)) {
        throw new IllegalStateException(e.getCause());
      }
      if (run.isStopped()) {
        say(record.task(task.number()).to(State.PENDING, "stopped"));
      } else {
        fail(task, Explanation.of(cause).message());
      }
    }
  }

  private LoopResult loop(PlannedTask task, int wave, String tip)
      throws IOException, InterruptedException {
    TaskWorker worker;
    synchronized (workers) {
      worker = workers.get(task.number());
    }
    if (worker == null) {
      worker = worker(task, wave);
      synchronized (workers) {
        workers.put(task.number(), worker);
      }
    }
    Git tree = trees.make(run.id(), task, record.task(task.number()), tip, this::say);
    Evidence ready = commands.prepare(tree, slot(task.number()));
    if (ready != null && !ready.passed()) {
      throw new ParleyException(
          ParleyException.Kind.FAILED,
          "set-up-failed",
          ready.summary(),
          "Correct set_up under [work] in parley.toml.");
    }
    return Loop.run(run, loopSettings(task), worker.surroundings(), tree);
  }

  private LoopSettings loopSettings(PlannedTask task) {
    WaveSettings settings = record.settings();
    return new LoopSettings(
        task.name(),
        task.body(),
        settings.agentOf(record.plan().indexOf(task)),
        settings.reviewer(),
        settings.iterations(),
        settings.stuck(),
        settings.times(),
        new LoopSettings.Checks(settings.spec(), settings.requireTests(), true, true),
        settings.gates(),
        settings.cap());
  }

  private void merge(PlannedTask task, int wave) throws IOException, InterruptedException {
    TaskStatus status = record.task(task.number());
    Merges.Outcome outcome = merges.merge(task, status);
    if (outcome.commit() != null) {
      TaskStatus merged = status.at(State.MERGED, outcome.commit());
      say(merged);
      TaskWorker worker = workers.remove(task.number());
      if (worker == null) {
        // Worked on before a crash: claimed again, so that it can be reported as done.
        worker = worker(task, wave);
      }
      done(worker, merged, outcome.commit(), outcome.files());
      run.tell(task.name() + ": merged as " + outcome.commit().substring(0, 8));
      trees.remove(merged, slot(task.number()));
      return;
    }
    if (run.isStopped()) {
      return;
    }
    if (status.reruns() < record.settings().reruns()) {
      run.tell(task.name() + ": " + outcome.why() + "; it is run again on what is merged by now");
      say(status.again(outcome.why()));
      trees.remove(status, slot(task.number()));
    } else {
      fail(task, outcome.why() + ", " + (status.reruns() + 1) + " times");
    }
  }

  /** Remarks on a task that ended in the ledger otherwise than by this run. */
  private void told(int task, String refused) {
    if (!refused.isEmpty()) {
      remark(
          "task-"
              + task
              + ": another agent ended it on the bus, which is ignored here: "
              + refused);
    }
  }

  private void fail(PlannedTask task, String why) throws IOException, InterruptedException {
    TaskStatus failed = record.task(task.number()).to(State.FAILED, why);
    say(failed);
    run.tell(task.name() + ": failed: " + why);
    TaskWorker worker = workers.remove(task.number());
    if (worker != null) {
      told(task.number(), worker.failed(why));
      worker.close();
    }
    trees.remove(failed, slot(task.number()));
    for (int other : Waves.dependents(record.plan(), task.number())) {
      if (record.task(other).state() == State.PENDING) {
        say(
            record
                .task(other)
                .to(State.SKIPPED, "it depends on " + task.name() + ", which failed"));
        run.tell("task-" + other + ": skipped, because " + task.name() + " failed");
      }
    }
  }

  /**
   * Reports files that appear in the user's own tree meanwhile: a task wrote outside its worktree.
   */
  private void lookOutside(Set<String> before, int wave) {
    List<String> more =
        TreeState.of(git).changed().stream().filter(file -> !before.contains(file)).toList();
    if (!more.isEmpty()) {
      remark(
          "wave "
              + (wave + 1)
              + ": files outside of the worktrees were changed while it ran: "
              + String.join(", ", more.subList(0, Math.min(more.size(), 10))));
    }
  }

  private void say(TaskStatus status) {
    synchronized (record) {
      run.say(WaveTypes.TASK, WaveRecord.line(status));
      record.put(status);
    }
  }

  private void remark(String text) {
    remarks.add(text);
    run.say(WaveTypes.REMARK, Json.object().put("text", text).build());
    run.tell(text);
  }

  private WaveReport finish() throws IOException, InterruptedException {
    boolean complete = record.tasks().stream().allMatch(task -> task.state().isOver());
    String forwarded = complete ? forward() : null;
    if (complete) {
      merges.close();
      new Worktrees(git).prune();
    }
    WaveReport report =
        new WaveReport(record, complete, forwarded, List.copyOf(remarks), trees.kept());
    if (complete) {
      run.end("complete", report.json());
    }
    return report;
  }

  /** Moves the user's branch to the merged commit if it has not moved and its tree is clean. */
  private @Nullable String forward() {
    String tip = merges.tip();
    if (tip.equals(record.base())) {
      return null;
    }
    if (FastForward.to(git, record.branch(), tip)) {
      return tip;
    }
    remark(
        "the branch "
            + record.branch()
            + " is left as it is, because it is not clean or has moved; merge by hand: git merge "
            + record.mergedBranch());
    return null;
  }
}
