package dev.parley.cli.terminal;

import dev.parley.core.ParleyException;

/** How far something is. */
public final class Percent {
  private Percent() {}

  /**
   * The percentage that was typed.
   *
   * @throws ParleyException INVALID if it is none
   */
  public static int of(String option, String text) {
    try {
      int percent = Integer.parseInt(text);
      if (percent >= 0 && percent <= 100) {
        return percent;
      }
    } catch (NumberFormatException e) {
      // As bad as one that is out of range.
    }
    throw ParleyException.invalid(
        "bad-progress", option + " \"" + text + "\" is not a percentage.", "Use 0 to 100.");
  }
}
