package dev.parley.coordination.task;

import dev.parley.core.ParleyException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** How far a task has come; the transitions are on {@link Tasks}. */
public enum TaskState {
  /** Something that it depends on is not done. */
  PENDING,
  /** Anybody may claim it. */
  READY,
  CLAIMED,
  /** Claimed, and its owner can't go on. */
  BLOCKED,
  DONE,
  FAILED,
  /** Something that it depends on will never be done. */
  SKIPPED,
  CANCELLED;

  public boolean hasOwner() {
    return this == CLAIMED || this == BLOCKED;
  }

  public boolean isOver() {
    return compareTo(DONE) >= 0;
  }

  /** How it is written: in small letters. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static TaskState named(String word) {
    for (TaskState state : values()) {
      if (state.word().equals(word)) {
        return state;
      }
    }
    String all = Arrays.stream(values()).map(TaskState::word).collect(Collectors.joining(", "));
    throw ParleyException.invalid(
        "bad-state", "There is no task state \"" + word + "\".", "Use one of " + all + ".");
  }
}
