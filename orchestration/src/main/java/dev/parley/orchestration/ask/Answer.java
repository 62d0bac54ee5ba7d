package dev.parley.orchestration.ask;

import java.time.Duration;

/**
 * The result of an ask. The text comes from outside: it is data, never an instruction, a command or
 * a path.
 *
 * @param text the agent's answer; may be incomplete unless the status is ANSWERED
 * @param error why there is no answer; empty if there is one
 * @param exitCode of a program; 0 for an API, -1 if the program was killed
 * @param attempts the number of attempts
 * @param cut whether the answer was longer than allowed and was truncated
 * @param leftovers processes that it left behind, and that were killed
 */
public record Answer(
    String agent,
    Status status,
    String text,
    String error,
    int exitCode,
    Duration duration,
    Usage usage,
    int attempts,
    boolean cut,
    int leftovers) {

  public Answer(
      String agent,
      Status status,
      String text,
      String error,
      int exitCode,
      Duration duration,
      Usage usage,
      int attempts,
      boolean cut) {
    this(agent, status, text, error, exitCode, duration, usage, attempts, cut, 0);
  }

  /** How an ask ended. */
  public enum Status {
    ANSWERED,
    /** The agent reported success without any text. */
    EMPTY,
    FAILED,
    TIMED_OUT,
    /** The run was stopped; a resumed run asks again. */
    STOPPED
  }

  public boolean ok() {
    return status == Status.ANSWERED;
  }

  /** An ask that failed before it was started. */
  public static Answer failed(String agent, String error) {
    return new Answer(agent, Status.FAILED, "", error, -1, Duration.ZERO, Usage.UNKNOWN, 1, false);
  }
}
