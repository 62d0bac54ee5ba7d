package dev.parley.cli.terminal;

import dev.parley.core.ParleyException;

/** Whole numbers as people type them. */
public final class IntOption {
  private IntOption() {}

  /**
   * The number that was typed.
   *
   * @throws ParleyException INVALID if it is none between the two
   */
  public static int number(String option, String text, int least, int most) {
    try {
      int number = Integer.parseInt(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // As bad as one that is out of range.
    }
    throw ParleyException.invalid(
        "bad-number",
        option + " \"" + text + "\" is not a number from " + least + " to " + most + ".",
        "Write " + least + ", for example.");
  }
}
