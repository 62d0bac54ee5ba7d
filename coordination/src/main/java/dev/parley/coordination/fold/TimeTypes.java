package dev.parley.coordination.fold;

/** The types of envelopes that move the time of a topic and do nothing else. */
public final class TimeTypes {
  /** Says what time it is; may name a proposal that it confirms. */
  public static final String TICK = "tick";

  /** Proposes to go back, or agrees to; see {@link FoldTime}. */
  public static final String RESET = "clock.reset";

  /** Takes the clock of a line out that can't be right; see {@link ClockTime}. */
  public static final String CORRECT = "clock.correct";

  /** The field of a payload that holds the position of the proposal agreed to, or of the line. */
  static final String NAMES = "names";

  private TimeTypes() {}
}
