package dev.parley.orchestration.moderate;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.gate.Gate;
import dev.parley.orchestration.loop.LoopSettings;
import dev.parley.orchestration.loop.TreeCommands;
import java.time.Duration;
import java.util.List;

/**
 * The settings of a project, kept in the run's parameters so that a resumed run uses the same.
 *
 * @param agent the agent that does the tasks
 * @param reviewer the agent that splits the requirements, reviews, and looks for improvements
 * @param iterations the most attempts until the gates pass, for each submission
 * @param reviews the most submissions of a task
 * @param tasks the most tasks
 * @param respond the time limit for messages that require a response
 * @param gates commands that must succeed beside the tests
 * @param setUp a shell line, run in each new worktree; empty for none
 * @param tearDown a shell line, run before a worktree is removed; empty for none
 * @param improve whether to look for one improvement at the end
 * @param github whether to make pull requests on GitHub, by {@code gh}
 */
public record ModerateSettings(
    String agent,
    String reviewer,
    int iterations,
    int stuck,
    int cap,
    int reviews,
    int tasks,
    LoopSettings.Times times,
    Duration respond,
    List<Gate> gates,
    String setUp,
    String tearDown,
    boolean allowMain,
    boolean improve,
    boolean github) {
  public static final int REVIEWS = 3;
  public static final int MOST_REVIEWS = 20;
  public static final int TASKS = 10;
  public static final int MOST_TASKS = 100;
  public static final Duration RESPOND = Duration.ofMinutes(30);

  public ModerateSettings {
    gates = List.copyOf(gates);
    check("--max-reviews", reviews, MOST_REVIEWS);
    check("--max-tasks", tasks, MOST_TASKS);
    if (respond.isZero() || respond.isNegative()) {
      throw ParleyException.invalid(
          "bad-time", "--respond-within must be longer than zero.", "Give a time, such as 30m.");
    }
  }

  /** The commands that prepare worktrees and clean up after them. */
  TreeCommands commands(Run run) {
    return new TreeCommands(run, setUp, tearDown, times.test());
  }

  private static void check(String what, int value, int most) {
    if (value < 1 || value > most) {
      throw ParleyException.invalid(
          "bad-number", what + " can't be " + value + ".", "Use a number from 1 to " + most + ".");
    }
  }

  /** The most asks, with the most tasks. */
  public int mostAsks() {
    int readable = 2; // an unreadable answer is asked for once more
    int task = reviews * (iterations + readable);
    return readable + tasks * task + (improve ? readable + task : 0);
  }

  Json save() {
    Json.ObjectBuilder json = Json.object();
    times.save().fields().forEach(json::put);
    return json.put("agent", agent)
        .put("reviewer", reviewer)
        .put("iterations", iterations)
        .put("stuck", stuck)
        .put("cap", cap)
        .put("reviews", reviews)
        .put("tasks", tasks)
        .put("respondMillis", respond.toMillis())
        .put("gates", Json.of(gates.stream().map(Gate::save).toList()))
        .put("setUp", setUp)
        .put("tearDown", tearDown)
        .put("allowMain", allowMain)
        .put("improve", improve)
        .put("github", github)
        .build();
  }

  static ModerateSettings load(Fields saved) {
    return new ModerateSettings(
        saved.text("agent", ""),
        saved.text("reviewer", ""),
        (int) saved.number("iterations", LoopSettings.ITERATIONS),
        (int) saved.number("stuck", LoopSettings.STUCK),
        (int) saved.number("cap", 20),
        (int) saved.number("reviews", REVIEWS),
        (int) saved.number("tasks", TASKS),
        LoopSettings.Times.load(saved),
        Duration.ofMillis(saved.number("respondMillis", RESPOND.toMillis())),
        saved.objects("gates").stream().map(Gate::load).toList(),
        saved.text("setUp", ""),
        saved.text("tearDown", ""),
        saved.flag("allowMain"),
        saved.flag("improve"),
        saved.flag("github"));
  }
}
