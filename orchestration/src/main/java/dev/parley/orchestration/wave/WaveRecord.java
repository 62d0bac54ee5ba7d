package dev.parley.orchestration.wave;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.Envelope;
import dev.parley.core.Log;
import dev.parley.core.Topic;
import dev.parley.core.WholeTopic;
import dev.parley.core.json.Json;
import dev.parley.orchestration.ask.RunRecord;
import dev.parley.orchestration.ask.RunTypes;
import dev.parley.orchestration.ask.Usage;
import dev.parley.orchestration.git.Git;
import dev.parley.orchestration.loop.LoopTypes;
import dev.parley.orchestration.plan.PlanFile;
import dev.parley.orchestration.plan.PlannedTask;
import dev.parley.orchestration.plan.Waves;
import dev.parley.orchestration.wave.TaskStatus.State;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of a run in waves: a function of its parameters and the lines of its topic.
 *
 * <p>Not safe for use by several threads.
 */
public final class WaveRecord {
  /** The gate that passes when all gates have passed after a merge. */
  static final String MERGE = "merge";

  private final String run;
  private final String planText;
  private final List<PlannedTask> plan;
  private final List<List<PlannedTask>> waves;
  private final String branch;
  private final String base;
  private final WaveSettings settings;
  private final Map<Integer, TaskStatus> tasks = new LinkedHashMap<>();
  private final Set<String> gated = new HashSet<>();
  private String tip;
  private final Map<String, String> sessions = new LinkedHashMap<>();
  private final Map<String, WaveTaskProgress> progress = new LinkedHashMap<>();
  private final Map<String, String> asks = new LinkedHashMap<>();
  private final List<String> remarks = new ArrayList<>();

  private WaveRecord(String run, Fields parameters) {
    this.run = run;
    this.planText = parameters.text("plan", "");
    this.plan = PlanFile.read(planText);
    this.waves = Waves.of(plan);
    this.branch = parameters.text("branch", "");
    this.base = parameters.text("base", "");
    this.tip = base;
    this.settings = WaveSettings.load(parameters.object("settings"));
    for (int wave = 0; wave < waves.size(); wave++) {
      for (PlannedTask task : waves.get(wave)) {
        tasks.put(task.number(), TaskStatus.pending(task.number(), wave));
      }
    }
  }

  /** The parameters of a new run in waves. */
  static Json parameters(String plan, String branch, String base, WaveSettings settings) {
    return Json.object()
        .put("plan", plan)
        .put("branch", branch)
        .put("base", base)
        .put("settings", settings.save())
        .build();
  }

  /** Reads the state of a run from the log. */
  public static WaveRecord of(Log log, RunRecord run) {
    WaveRecord record = new WaveRecord(run.id(), Fields.of(run.parameters()));
    WholeTopic.forEach(log, new Topic("runs." + run.id()), record::apply);
    return record;
  }

  /** The state of a new run. */
  static WaveRecord begin(String run, Json parameters) {
    return new WaveRecord(run, Fields.of(parameters));
  }

  private void apply(Envelope envelope) {
    Fields fields = Fields.of(envelope.payload());
    switch (envelope.type()) {
      case WaveTypes.SESSION -> sessions.put(fields.text("session", ""), fields.text("agent", ""));
      case WaveTypes.REMARK -> remarks.add(fields.text("text", ""));
      case WaveTypes.TASK -> {
        TaskStatus status = read(fields);
        if (status != null) {
          put(status);
          String task = planned(status.number()).name();
          progress.put(task, progress(task).came(status.state(), envelope.time()));
        }
      }
      case RunTypes.ASK -> {
        String task = fields.text("task", "");
        asks.put(fields.text("key", ""), task);
        progress.put(
            task, progress(task).asked(fields.text("agent", ""), fields.text("stage", "")));
      }
      case RunTypes.ANSWER -> {
        String task = asks.getOrDefault(fields.text("key", ""), "");
        progress.put(
            task,
            progress(task)
                .answered(
                    new Usage(
                        fields.number("inputTokens", -1),
                        fields.number("outputTokens", -1),
                        fields.number("costMicros", -1))));
      }
      case LoopTypes.GATE -> {
        String task = fields.text("task", "");
        Fields evidence = fields.object("evidence");
        String gate = evidence.text("gate", "");
        if (gate.equals(MERGE) && evidence.flag("passed")) {
          gated.add(evidence.text("commit", ""));
          return; // it says that all gates have passed, and is none itself
        }
        WaveTaskProgress now = progress(task);
        progress.put(
            task,
            fields.flag("merge")
                ? now.gated(gate + " after the merge", now.iteration())
                : now.gated(gate, (int) fields.number("iteration", 0)));
      }
      default -> {}
    }
  }

  private @Nullable TaskStatus read(Fields fields) {
    TaskStatus known = tasks.get((int) fields.number("task", 0));
    return known == null
        ? null
        : new TaskStatus(
            known.number(),
            State.of(fields.text("state", "")),
            known.wave(),
            (int) fields.number("attempt", 0),
            (int) fields.number("reruns", 0),
            fields.text("branch"),
            fields.text("tree"),
            fields.text("base"),
            fields.text("commit"),
            fields.text("why", ""));
  }

  /** The line that records a task's state. */
  static Json line(TaskStatus status) {
    return Json.object()
        .put("task", status.number())
        .put("state", status.state().word())
        .put("wave", status.wave())
        .put("attempt", status.attempt())
        .put("reruns", status.reruns())
        .put("branch", status.branch())
        .put("tree", status.tree())
        .put("base", status.base())
        .put("commit", status.commit())
        .put("why", status.why())
        .build();
  }

  void put(TaskStatus status) {
    tasks.put(status.number(), status);
    if (status.state() == State.MERGED && status.commit() != null) {
      tip = status.commit();
    }
  }

  /** The last commit that is merged; the base before the first. */
  String tip() {
    return tip;
  }

  /** Whether all gates passed on a commit after its merge. */
  boolean isGated(String commit) {
    return gated.contains(commit);
  }

  public String run() {
    return run;
  }

  public List<PlannedTask> plan() {
    return plan;
  }

  public List<List<PlannedTask>> waves() {
    return waves;
  }

  /** The user's branch at the beginning. */
  public String branch() {
    return branch;
  }

  public String base() {
    return base;
  }

  public WaveSettings settings() {
    return settings;
  }

  /** The folder with its worktrees. */
  Path trees(Git git) {
    return git.folder().resolve(settings.trees()).normalize();
  }

  /** All tasks, by waves. */
  public List<TaskStatus> tasks() {
    return List.copyOf(tasks.values());
  }

  public TaskStatus task(int number) {
    TaskStatus status = tasks.get(number);
    if (status == null) {
      throw new IllegalArgumentException("no task " + number);
    }
    return status;
  }

  public PlannedTask planned(int number) {
    return plan.stream().filter(task -> task.number() == number).findFirst().orElseThrow();
  }

  /** The progress of a task, for display. */
  public WaveTaskProgress progress(PlannedTask task) {
    return progress(task.name());
  }

  private WaveTaskProgress progress(String task) {
    return progress.getOrDefault(task, WaveTaskProgress.NONE);
  }

  /** The names of workers' sessions, by session id. */
  Map<String, String> sessions() {
    return sessions;
  }

  public List<String> remarks() {
    return remarks;
  }

  /** The branch with everything merged. */
  public String mergedBranch() {
    return "parley/" + run + "/merged";
  }
}
