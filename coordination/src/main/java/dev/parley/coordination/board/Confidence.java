package dev.parley.coordination.board;

import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import org.jspecify.annotations.Nullable;

/** How sure an elector is of its vote: 0 to 1, in hundredths. */
public record Confidence(int hundredths) {
  public static final Confidence FULL = new Confidence(100);

  /** The confidence in a text; null if it is not a number from 0 to 1. */
  static @Nullable Confidence find(String text) {
    // Java accepts forms of numbers that people do not write, such as hexadecimal ones.
    if (!text.matches("[0-9][0-9.eE+-]{0,30}")) {
      return null;
    }
    try {
      double value = Double.parseDouble(text);
      return value <= 1 ? new Confidence((int) Math.round(value * 100)) : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** The confidence in a JSON number; null if there is none. */
  public static @Nullable Confidence of(@Nullable Json number) {
    return number == null || number.isString() ? null : find(number.toString());
  }

  /**
   * The confidence in a text.
   *
   * @throws ParleyException INVALID if it is not a number from 0 to 1
   */
  public static Confidence named(String text) {
    Confidence confidence = find(text);
    if (confidence == null) {
      throw ParleyException.invalid("bad-confidence", Json.object().put("confidence", text));
    }
    return confidence;
  }

  public Json toJson() {
    return Json.parse(toString());
  }

  /** As a decimal fraction: {@code 0.8}. */
  @Override
  public String toString() {
    if (hundredths % 100 == 0) {
      return Integer.toString(hundredths / 100);
    }
    return hundredths % 10 == 0
        ? "0." + hundredths / 10
        : "0." + (hundredths < 10 ? "0" : "") + hundredths;
  }
}
