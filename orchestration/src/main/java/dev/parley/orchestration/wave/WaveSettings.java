package dev.parley.orchestration.wave;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.orchestration.gate.Gate;
import dev.parley.orchestration.loop.LoopSettings;
import java.time.Duration;
import java.util.List;

/**
 * The settings of a plan, kept in the run's parameters so that a resumed run uses the same.
 *
 * @param agent the agent that does the work; several, separated by commas, take turns
 * @param concurrent how many tasks run at the same time
 * @param reruns how often a task that conflicts with merged work is run again
 * @param fileWait how long a task waits for files that others hold
 * @param gates commands that must succeed beside the tests, in the worktree and after the merge
 * @param setUp a shell line, run in each new worktree; empty for none
 * @param tearDown a shell line, run before a worktree is removed; empty for none
 * @param trees the folder for worktrees, relative to the top of the repository
 */
public record WaveSettings(
    String agent,
    String reviewer,
    int concurrent,
    int reruns,
    int iterations,
    int stuck,
    int cap,
    LoopSettings.Times times,
    Duration fileWait,
    boolean spec,
    boolean requireTests,
    boolean allowMain,
    List<Gate> gates,
    String setUp,
    String tearDown,
    String trees) {
  public static final String TREES = ".worktrees";
  public static final int CONCURRENT = 3;
  public static final int MOST_CONCURRENT = 64;
  public static final int RERUNS = 2;

  public WaveSettings {
    gates = List.copyOf(gates);
    if (concurrent < 1 || concurrent > MOST_CONCURRENT) {
      throw ParleyException.invalid(
          "bad-number",
          "--max-concurrent can't be " + concurrent + ".",
          "Use a number from 1 to " + MOST_CONCURRENT + ".");
    }
    if (reruns < 0 || reruns > MOST_CONCURRENT) {
      throw ParleyException.invalid(
          "bad-number",
          "PARALLEL_MAX_CONFLICT_RERUNS can't be " + reruns + ".",
          "Use a number from 0 to " + MOST_CONCURRENT + ".");
    }
  }

  public WaveSettings(
      String agent,
      String reviewer,
      int concurrent,
      int reruns,
      int iterations,
      int stuck,
      int cap,
      LoopSettings.Times times,
      Duration fileWait,
      boolean spec,
      boolean requireTests,
      boolean allowMain,
      List<Gate> gates,
      String setUp,
      String tearDown) {
    this(
        agent,
        reviewer,
        concurrent,
        reruns,
        iterations,
        stuck,
        cap,
        times,
        fileWait,
        spec,
        requireTests,
        allowMain,
        gates,
        setUp,
        tearDown,
        TREES);
  }

  /** The same settings with another folder for worktrees. */
  public WaveSettings withTrees(String folder) {
    return new WaveSettings(
        agent,
        reviewer,
        concurrent,
        reruns,
        iterations,
        stuck,
        cap,
        times,
        fileWait,
        spec,
        requireTests,
        allowMain,
        gates,
        setUp,
        tearDown,
        folder);
  }

  /** The agent of the task at an index of the plan, from 0. */
  String agentOf(int place) {
    String[] all = agent.split(",", -1);
    return all[place % all.length];
  }

  Json save() {
    return Json.object()
        .put("agent", agent)
        .put("reviewer", reviewer)
        .put("concurrent", concurrent)
        .put("reruns", reruns)
        .put("iterations", iterations)
        .put("stuck", stuck)
        .put("cap", cap)
        .put("implementMillis", times.implement().toMillis())
        .put("testMillis", times.test().toMillis())
        .put("specMillis", times.spec().toMillis())
        .put("taskMillis", times.all().toMillis())
        .put("fileWaitMillis", fileWait.toMillis())
        .put("spec", spec)
        .put("requireTests", requireTests)
        .put("allowMain", allowMain)
        .put("gates", Json.of(gates.stream().map(Gate::save).toList()))
        .put("setUp", setUp)
        .put("tearDown", tearDown)
        .put("trees", trees)
        .build();
  }

  static WaveSettings load(Fields saved) {
    return new WaveSettings(
        saved.text("agent", ""),
        saved.text("reviewer", ""),
        (int) saved.number("concurrent", CONCURRENT),
        (int) saved.number("reruns", RERUNS),
        (int) saved.number("iterations", LoopSettings.ITERATIONS),
        (int) saved.number("stuck", LoopSettings.STUCK),
        (int) saved.number("cap", 20),
        LoopSettings.Times.load(saved),
        millis(saved, "fileWaitMillis"),
        saved.flag("spec"),
        saved.flag("requireTests"),
        saved.flag("allowMain"),
        saved.objects("gates").stream().map(Gate::load).toList(),
        saved.text("setUp", ""),
        saved.text("tearDown", ""),
        saved.text("trees", TREES));
  }

  private static Duration millis(Fields saved, String name) {
    return Duration.ofMillis(saved.number(name, 0));
  }
}
