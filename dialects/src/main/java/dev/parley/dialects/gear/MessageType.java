package dev.parley.dialects.gear;

import java.util.Locale;

/** The types of messages that the design names. Others may be sent and are handed on. */
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

  /** How it is written: {@code task_assigned}. */
  public String value() {
    return name().toLowerCase(Locale.ROOT);
  }
}
