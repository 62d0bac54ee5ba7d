package dev.parley.cli.tail;

import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Style;
import dev.parley.cli.terminal.Table;
import dev.parley.cli.terminal.Times;
import dev.parley.core.Envelope;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import java.time.Instant;

/**
 * Formats an envelope as one line for people: time, place, sender, recipient, content.
 *
 * <p>Column widths grow with the lines so far, because later lines are not known.
 */
final class EnvelopeText {
  private static final String GAP = "  ";
  private static final String CUT = "…";

  /** At least this many characters of a payload are shown, however narrow the terminal is. */
  private static final int LEAST = 20;

  private final Output out;
  private final Times times;
  private final int width;
  private final int[] widths = {5, 14, 12, 8};

  /**
   * @param width the longest line
   */
  EnvelopeText(Output out, Times times, int width) {
    this.out = out;
    this.times = times;
    this.width = width;
  }

  String of(Envelope envelope) {
    Instant time = envelope.time();
    String to = String.join(", ", envelope.to());
    StringBuilder line = new StringBuilder();
    int used =
        cell(line, 0, Style.DIM, time == null ? "-" : times.clock(time))
            + cell(line, 1, Style.CYAN, envelope.position().in(envelope.topic()))
            + cell(line, 2, Style.BOLD, envelope.sender() + (to.isEmpty() ? "" : " → " + to))
            + cell(line, 3, Style.YELLOW, envelope.type());
    return line.append(cut(payload(envelope), Math.max(LEAST, width - used))).toString();
  }

  private int cell(StringBuilder line, int column, Style style, String text) {
    String shown = Printable.text(text);
    widths[column] = Math.max(widths[column], shown.length());
    String padding = Table.pad(shown, widths[column]).substring(shown.length());
    line.append(out.styled(style, shown)).append(padding).append(GAP);
    return widths[column] + GAP.length();
  }

  private static String payload(Envelope envelope) {
    String text = envelope.payload().toString();
    try {
      // Parley's own lines are compact already.
      return Printable.json(envelope.isNative() ? text : Json.parse(text).toString());
    } catch (JsonException e) {
      return Printable.json(text); // nested too deep, or with a key twice: shown as it is
    }
  }

  private static String cut(String text, int length) {
    if (text.length() <= length) {
      return text;
    }
    int end = length - CUT.length();
    return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + CUT;
  }
}
