package dev.parley.orchestration.wave;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The state of a task of a plan.
 *
 * @param attempt counts worktrees of the task, from 1; 0 before the first
 * @param reruns how often it was run again because it conflicted with what was merged meanwhile
 * @param branch of the last attempt
 * @param tree the folder of the last attempt
 * @param base the commit where the last attempt began
 * @param commit the merged commit; while WORKED, the head of its branch
 * @param why why it is not done
 */
public record TaskStatus(
    int number,
    State state,
    int wave,
    int attempt,
    int reruns,
    @Nullable String branch,
    @Nullable String tree,
    @Nullable String base,
    @Nullable String commit,
    String why) {
  /**
   * States.
   *
   * <pre>
   * pending ──▶ running ──▶ worked ──▶ merged
   *    ▲           │           │
   *    └─ again ───┼───────────┤   conflict, red after the merge, stopped, killed
   *                └──▶ failed ◀┘
   * pending ──▶ skipped             something it depends on has failed
   * </pre>
   */
  public enum State {
    PENDING,
    RUNNING,
    /** Its gates passed on its own branch. */
    WORKED,
    /** Its gates passed again on top of the tasks merged before. */
    MERGED,
    FAILED,
    SKIPPED;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    public boolean isOver() {
      return this == MERGED || this == FAILED || this == SKIPPED;
    }

    static State of(String word) {
      for (State state : values()) {
        if (state.word().equals(word)) {
          return state;
        }
      }
      return PENDING;
    }
  }

  static TaskStatus pending(int number, int wave) {
    return new TaskStatus(number, State.PENDING, wave, 0, 0, null, null, null, null, "");
  }

  TaskStatus to(State next, String reason) {
    return new TaskStatus(number, next, wave, attempt, reruns, branch, tree, base, commit, reason);
  }

  TaskStatus running(int newAttempt, String onBranch, String inTree, String from) {
    return new TaskStatus(
        number, State.RUNNING, wave, newAttempt, reruns, onBranch, inTree, from, null, "");
  }

  TaskStatus at(State next, String head) {
    return new TaskStatus(number, next, wave, attempt, reruns, branch, tree, base, head, "");
  }

  TaskStatus again(String reason) {
    return new TaskStatus(
        number, State.PENDING, wave, attempt, reruns + 1, branch, tree, base, null, reason);
  }
}
