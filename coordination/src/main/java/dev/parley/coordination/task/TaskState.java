package dev.parley.coordination.task;

import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How far a task has come; the transitions are on {@link TaskRules}. */
public enum TaskState {
  /** A dependency is not done yet. */
  PENDING,
  /** Any agent may claim it. */
  READY,
  CLAIMED,
  /** Claimed, but its owner can't go on. */
  BLOCKED,
  DONE,
  FAILED,
  /** A dependency will never be done. */
  SKIPPED,
  CANCELLED;

  public boolean hasOwner() {
    return this == CLAIMED || this == BLOCKED;
  }

  public boolean isOver() {
    return compareTo(DONE) >= 0;
  }

  /** The word for it: its name in small letters. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static TaskState named(String word) {
    for (TaskState state : values()) {
      if (state.word().equals(word)) {
        return state;
      }
    }
    List<String> all = Arrays.stream(values()).map(TaskState::word).toList();
    throw ParleyException.invalid(
        "bad-state", Json.object().put("state", word).put("states", Json.ofStrings(all)));
  }
}
