package dev.parley.cli.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;

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
   * white space; inside a string an escape means what it replaces. So whatever can't be seen is
   * escaped here, parts of words and emoji included.
   */
  public static String json(String line) {
    return escape(line, true);
  }

  /** As the other, for a line in UTF-8; hardly any has to be changed. */
  static byte[] json(byte[] line) {
    for (byte b : line) {
      if (b < 0x20 || b == 0x7f) { // control characters, and whatever is not ASCII
        return json(new String(line, UTF_8)).getBytes(UTF_8);
      }
    }
    return line;
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
      if (isSafe(c) && !(json && isInvisible(c))) {
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

  /** Letters and marks that show nothing; text can be hidden in them. */
  private static boolean isInvisible(int c) {
    return c == ZERO_WIDTH_NON_JOINER
        || c == ZERO_WIDTH_JOINER
        || c == 0x034f // combining grapheme joiner
        || c == 0x115f // fillers for letters of Hangul
        || c == 0x1160
        || c == 0x3164
        || c == 0xffa0
        || c == 0x17b4 // vowels of Khmer that are not written
        || c == 0x17b5
        || (c >= 0x180b && c <= 0x180f) // selectors of variants
        || (c >= 0xfe00 && c <= 0xfe0f)
        || (c >= 0xe0000 && c <= 0xe0fff); // tags, and more selectors
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
