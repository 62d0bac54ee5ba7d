package dev.parley.cli.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Makes text safe to print. Characters that could move the cursor, change colours, end a line or
 * reverse the text direction become visible escapes such as {@code \u001b}.
 */
public final class Printable {
  private static final char ZERO_WIDTH_NON_JOINER = '\u200c';
  private static final char ZERO_WIDTH_JOINER = '\u200d';

  /** The longest headline. */
  private static final int HEADLINE = 80;

  private Printable() {}

  /** Makes any text a single safe line. */
  public static String text(String text) {
    return escape(text, false);
  }

  /** The subject of a message for a list, or the first line of a body without one. */
  public static String headline(String subject, String body) {
    String line = (subject.isEmpty() ? body : subject).lines().findFirst().orElse("");
    if (line.length() > HEADLINE) {
      int end = Character.isHighSurrogate(line.charAt(HEADLINE - 2)) ? HEADLINE - 2 : HEADLINE - 1;
      line = line.substring(0, end) + "…";
    }
    return text(line);
  }

  /**
   * Makes a line of JSON safe; it stays the same JSON. Control characters between tokens can only
   * be white space, and inside a string an escape means the character itself. So every invisible
   * character is escaped, even in words and emoji.
   */
  public static String json(String line) {
    return escape(line, true);
  }

  /** Makes a line of JSON in UTF-8 safe; most lines need no change. */
  static byte[] json(byte[] line) {
    for (byte b : line) {
      if (b < 0x20 || b == 0x7f) { // control characters, and everything outside ASCII
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
      // Mostly direction marks. The joiners are parts of words and emoji.
      case Character.FORMAT -> c == ZERO_WIDTH_NON_JOINER || c == ZERO_WIDTH_JOINER;
      default -> true;
    };
  }

  /** Letters and marks without a glyph, which could hide text. */
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
