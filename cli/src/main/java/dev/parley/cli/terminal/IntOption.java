package dev.parley.cli.terminal;

import dev.parley.core.ParleyException;

/** Parses whole numbers. */
public final class IntOption {
  private IntOption() {}

  /**
   * The given number.
   *
   * @throws ParleyException INVALID if it is not one in the range
   */
  public static int number(String option, String text, int least, int most) {
    try {
      int number = Integer.parseInt(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Treated like a number out of range.
    }
    throw ParleyException.invalid(
        "bad-number",
        option
            + " \""
            + text
            + "\" is not a whole number"
            + (most == Integer.MAX_VALUE
                ? " of " + least + " or more."
                : " from " + least + " to " + most + "."),
        "Write a number in this range.");
  }
}
