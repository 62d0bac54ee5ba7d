package dev.parley.cli.terminal;

import dev.parley.core.ParleyException;

/** Parses percentages. */
public final class Percent {
  private Percent() {}

  /**
   * The given percentage.
   *
   * @throws ParleyException INVALID if it is not one
   */
  public static int of(String option, String text) {
    try {
      int percent = Integer.parseInt(text);
      if (percent >= 0 && percent <= 100) {
        return percent;
      }
    } catch (NumberFormatException e) {
      // Treated like a number out of range.
    }
    throw ParleyException.invalid(
        "bad-progress", option + " \"" + text + "\" is not a percentage.", "Use 0 to 100.");
  }
}
