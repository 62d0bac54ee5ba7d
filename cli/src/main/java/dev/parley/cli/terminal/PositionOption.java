package dev.parley.cli.terminal;

import dev.parley.core.ParleyException;
import dev.parley.core.Position;
import dev.parley.core.Topic;
import org.jspecify.annotations.Nullable;

/** Parses positions: {@code 412} or {@code notes@412}. */
public final class PositionOption {
  private PositionOption() {}

  /**
   * The position that was typed, of a topic.
   *
   * @param topic null if none is named though a position belongs to one
   * @param what what may be written instead, such as "start, end, or "
   * @throws ParleyException INVALID if it is no position, or of another topic
   */
  public static Position position(String option, String text, @Nullable Topic topic, String what) {
    int at = text.indexOf('@');
    long value = number(text.substring(at + 1));
    if (value < 0) {
      throw bad(
          option + " \"" + text + "\" is not a position.",
          "Write "
              + what
              + "a position such as 412 or "
              + (topic == null ? "notes" : topic.name())
              + "@412.");
    }
    if (topic == null) {
      throw bad(
          option + " " + text + " is a position, but no topic is named.",
          "Name the topic: parley tail <topic> " + option + " " + text);
    }
    if (at >= 0 && !text.substring(0, at).equals(topic.name())) {
      throw bad(
          option + " " + text + " is not a position of " + topic + ".",
          "Name the topic that the position belongs to.");
    }
    return new Position(value);
  }

  private static ParleyException bad(String what, String next) {
    return ParleyException.invalid("bad-place", what, next);
  }

  /** A whole number; -1 if it is not one. */
  public static long number(String text) {
    try {
      return text.startsWith("+") ? -1 : Long.parseLong(text);
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
