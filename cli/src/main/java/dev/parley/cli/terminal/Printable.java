package dev.parley.cli.terminal;

/**
 * Makes text safe to show: what could move the cursor, change colours, end a line or reverse the
 * direction of writing becomes a visible escape such as {@code \u001b}.
 */
public final class Printable {
  private static final char ZERO_WIDTH_NON_JOINER = '\u200c';
  private static final char ZERO_WIDTH_JOINER = '\u200d';

  private Printable() {}

  /** Text of any kind, on one line. */
  public static String text(String text) {
    return escape(text, false);
  }

  /**
   * A line of valid JSON, still the same JSON. Control characters between its tokens can only be
   * white space; inside a string an escape means what it replaces.
   */
  public static String json(String line) {
    return escape(line, true);
  }

  private static String escape(String text, boolean json) {
    int i = 0;
    while (i < text.length() && isPlain(text.charAt(i))) {
      i++;
    }
    if (i == text.length()) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length() + 16).append(text, 0, i);
    while (i < text.length()) {
      int c = text.codePointAt(i);
      int next = i + Character.charCount(c);
      if (isSafe(c)) {
        out.appendCodePoint(c);
      } else if (json && (c == '\t' || c == '\r' || c == '\n')) {
        out.append(' ');
      } else {
        for (int unit = i; unit < next; unit++) {
          hex(out, text.charAt(unit));
        }
      }
      i = next;
    }
    return out.toString();
  }

  private static boolean isPlain(char c) {
    return c >= 0x20 && c < 0x7f;
  }

  private static boolean isSafe(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          false;
      // Mostly marks that turn the direction of writing; the joiners are parts of words and emoji.
      case Character.FORMAT -> c == ZERO_WIDTH_NON_JOINER || c == ZERO_WIDTH_JOINER;
      default -> true;
    };
  }

  private static void hex(StringBuilder out, char unit) {
    switch (unit) {
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      default -> {
        out.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
          out.append(Character.forDigit(unit >> shift & 0xf, 16));
        }
      }
    }
  }
}
