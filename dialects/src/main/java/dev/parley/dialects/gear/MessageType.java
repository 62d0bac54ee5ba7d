package dev.parley.dialects.gear;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The message types that Gear names. Others may be sent and are passed on. */
public enum MessageType {
  TASK_ASSIGNED,
  TASK_COMPLETED,
  PR_SUBMITTED,
  PR_FEEDBACK,
  PR_APPROVED,
  IMPROVEMENT_REQUESTED,
  IMPROVEMENT_COMPLETED,
  AGENT_READY,
  AGENT_ERROR;

  /** The name in messages: {@code task_assigned}. */
  public String value() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The required fields of the payload. */
  public List<String> required() {
    return switch (this) {
      case TASK_ASSIGNED -> List.of("task_id", "description", "acceptance_criteria");
      case PR_SUBMITTED ->
          List.of("task_id", "pr_url", "pr_number", "branch_name", "files_changed");
      case PR_FEEDBACK ->
          List.of(
              "task_id",
              "pr_number",
              "iteration",
              "score",
              "approved",
              "blocking_issues",
              "suggestions",
              "feedback",
              "criteria_scores");
      default -> List.of();
    };
  }

  /** The type of this name; null if Gear has none. */
  public static @Nullable MessageType find(String value) {
    for (MessageType type : values()) {
      if (type.value().equals(value)) {
        return type;
      }
    }
    return null;
  }
}
