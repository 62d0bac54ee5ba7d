package dev.parley.coordination.fold;

/** The types of envelopes that move the time of a topic and do nothing else. */
public final class TimeTypes {
  /** Moves the time of a topic; may name a proposal that it confirms. */
  public static final String TICK = "tick";

  /** Proposes to go back in time, or agrees to such a proposal; see {@link FoldTime}. */
  public static final String RESET = "clock.reset";

  /** Removes the clock of a line that can't be right; see {@link ClockTime}. */
  public static final String CORRECT = "clock.correct";

  /** The payload field with the position of the proposal or of the wrong line. */
  static final String NAMES = "names";

  private TimeTypes() {}
}
