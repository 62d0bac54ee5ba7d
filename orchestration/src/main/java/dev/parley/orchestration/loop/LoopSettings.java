package dev.parley.orchestration.loop;

import dev.parley.core.ParleyException;
import dev.parley.orchestration.gate.Gate;
import java.time.Duration;
import java.util.List;

/**
 * What a loop does and how far it may go.
 *
 * @param name of the task, as it stands in branches and trailers
 * @param task what is to be done
 * @param agent who does it
 * @param reviewer who says whether it was done; the agent itself unless said otherwise
 * @param iterations how often it is tried
 * @param stuck after how many failures that are the same another way is asked for; after as many
 *     more it is given up
 * @param gates commands that must succeed beside the tests
 * @param cap how many notices of others it is shown; warnings always
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

  /** How long each step may take, and the whole. */
  public record Times(Duration implement, Duration test, Duration spec, Duration all) {
    public static final Times DEFAULT =
        new Times(
            Duration.ofMinutes(5),
            Duration.ofMinutes(2),
            Duration.ofMinutes(2),
            Duration.ofHours(1));
  }

  /**
   * Which checks there are.
   *
   * @param spec whether an agent says if the task was done
   * @param requireTests whether a project without tests fails
   * @param ownTree whether the worktree is Parley's own, so that what gates leave may be removed
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
          "no-task", "The task says nothing.", "Say what is to be done: --task <text or file>.");
    }
    if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]*") || name.length() > LONGEST_NAME) {
      throw ParleyException.invalid(
          "bad-task",
          "\"" + name + "\" can't be the name of a task.",
          "Use at most " + LONGEST_NAME + " letters, digits, dots, - and _.");
    }
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
