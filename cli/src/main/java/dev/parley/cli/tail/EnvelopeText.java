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
 * An envelope as one line for people: when, where, who to whom, what.
 *
 * <p>Columns grow with what was shown so far; nothing is known of what comes.
 */
final class EnvelopeText {
  private static final String GAP = "  ";
  private static final String CUT = "…";

  /** However narrow the terminal, this much of a payload is shown. */
  private static final int LEAST = 20;

  private final Output out;
  private final Times times;
  private final int width;
  private final int[] widths = {5, 14, 12, 8};

  /**
   * @param width how long a line may be
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
      // What Parley wrote is compact already.
      return Printable.json(envelope.isNative() ? text : Json.parse(text).toString());
    } catch (JsonException e) {
      return Printable.json(text); // deeper than usual, or with a key twice: shown as it is
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
