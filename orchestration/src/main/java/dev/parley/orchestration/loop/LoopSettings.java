package dev.parley.orchestration.loop;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.orchestration.gate.Gate;
import java.time.Duration;
import java.util.List;

/**
 * The settings and limits of a loop.
 *
 * @param name the task's name in branches and trailers
 * @param task the task's text
 * @param agent the agent that works on it
 * @param reviewer the agent that judges whether it is done; the working agent by default
 * @param iterations the most iterations
 * @param stuck after this many equal failures another approach is asked for; after as many more the
 *     loop gives up
 * @param gates commands that must succeed beside the tests
 * @param cap how many notices of others the agent is shown; warnings are always shown
 */
public record LoopSettings(
    String name,
    String task,
    String agent,
    String reviewer,
    int iterations,
    int stuck,
    Times times,
    Checks checks,
    List<Gate> gates,
    int cap) {
  public static final int ITERATIONS = 5;
  public static final int MOST_ITERATIONS = 1_000;
  public static final int STUCK = 3;
  private static final int LONGEST_NAME = 60;

  /** The time limits of each step and of the whole loop. */
  public record Times(Duration implement, Duration test, Duration spec, Duration all) {
    public static final Times DEFAULT =
        new Times(
            Duration.ofMinutes(5),
            Duration.ofMinutes(2),
            Duration.ofMinutes(2),
            Duration.ofHours(1));

    public Json save() {
      return Json.object()
          .put("implementMillis", implement.toMillis())
          .put("testMillis", test.toMillis())
          .put("specMillis", spec.toMillis())
          .put("taskMillis", all.toMillis())
          .build();
    }

    /** Reads what {@link #save} wrote, alone or among other fields. */
    public static Times load(Fields saved) {
      return new Times(
          Duration.ofMillis(saved.number("implementMillis", 0)),
          Duration.ofMillis(saved.number("testMillis", 0)),
          Duration.ofMillis(saved.number("specMillis", 0)),
          Duration.ofMillis(saved.number("taskMillis", 0)));
    }
  }

  /**
   * The checks of a loop.
   *
   * @param spec whether an agent judges if the task is done
   * @param requireTests whether a project without tests fails
   * @param ownTree whether the worktree is Parley's own, so that files left by gates may be removed
   * @param allowMain whether work on the main branch is allowed
   */
  public record Checks(boolean spec, boolean requireTests, boolean ownTree, boolean allowMain) {}

  public LoopSettings {
    gates = List.copyOf(gates);
    check("--max-iterations", iterations, 1, MOST_ITERATIONS);
    check("--stuck-threshold", stuck, 1, MOST_ITERATIONS);
    check("BUS_MAX_BOARD_INJECT", cap, 0, MOST_ITERATIONS);
    if (task.isBlank()) {
      throw ParleyException.invalid(
          "no-task", "The task is empty.", "Say what is to be done: --task <text or file>.");
    }
    if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]*") || name.length() > LONGEST_NAME) {
      throw ParleyException.invalid(
          "bad-task",
          "\"" + name + "\" can't be the name of a task.",
          "Use at most " + LONGEST_NAME + " letters, digits, dots, - and _.");
    }
  }

  /** The run parameters, from which another process can resume. */
  public Json save() {
    return Json.object()
        .put("name", name)
        .put("task", task)
        .put("agent", agent)
        .put("reviewer", reviewer)
        .put("iterations", iterations)
        .put("stuck", stuck)
        .put("times", times.save())
        .put("spec", checks.spec())
        .put("requireTests", checks.requireTests())
        .put("ownTree", checks.ownTree())
        .put("allowMain", checks.allowMain())
        .put("gates", Json.of(gates.stream().map(Gate::save).toList()))
        .put("cap", cap)
        .build();
  }

  public static LoopSettings load(Fields saved) {
    return new LoopSettings(
        saved.text("name", ""),
        saved.text("task", ""),
        saved.text("agent", ""),
        saved.text("reviewer", ""),
        (int) saved.number("iterations", ITERATIONS),
        (int) saved.number("stuck", STUCK),
        Times.load(saved.object("times")),
        new Checks(
            saved.flag("spec"),
            saved.flag("requireTests"),
            saved.flag("ownTree"),
            saved.flag("allowMain")),
        saved.objects("gates").stream().map(Gate::load).toList(),
        (int) saved.number("cap", 20));
  }

  private static void check(String what, int value, int least, int most) {
    if (value < least || value > most) {
      throw ParleyException.invalid(
          "bad-number",
          what + " can't be " + value + ".",
          "Use a number from " + least + " to " + most + ".");
    }
  }
}
