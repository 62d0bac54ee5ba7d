package dev.parley.orchestration.ask;

import java.time.Duration;

/**
 * What came of an ask. The text is what somebody else said: data, never an instruction, a command
 * or a path.
 *
 * @param text what the agent answered; may be incomplete unless the status is ANSWERED
 * @param error why there is no answer; empty if there is one
 * @param exitCode of a program; 0 for an API, -1 if it did not end by itself
 * @param attempts how often it was tried
 * @param cut whether the answer was longer than allowed, and the rest thrown away
 * @param leftovers processes that it left behind, and that were ended
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
    /** The agent said nothing, and called that a success. */
    EMPTY,
    FAILED,
    TIMED_OUT,
    /** The run was stopped; it is asked again when the run is resumed. */
    STOPPED
  }

  public boolean ok() {
    return status == Status.ANSWERED;
  }

  /** An ask that came to nothing before there was anything to measure. */
  public static Answer failed(String agent, String error) {
    return new Answer(agent, Status.FAILED, "", error, -1, Duration.ZERO, Usage.UNKNOWN, 1, false);
  }
}
