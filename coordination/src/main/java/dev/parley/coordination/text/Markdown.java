package dev.parley.coordination.text;

/**
 * Makes text of others harmless inside a Markdown document. It shows as it was written, on one
 * line, and can't become a heading, list, link, picture, table, code, comment or HTML.
 */
public final class Markdown {
  /** Characters with a meaning at any place. */
  private static final String SPECIAL = "\\`*_[]~|#@";

  /** Characters with a meaning at the beginning only. */
  private static final String FIRST = "-+=";

  private Markdown() {}

  public static String line(String text) {
    String line = flat(text);
    StringBuilder out = new StringBuilder(line.length() + 16);
    int digits = 0;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      boolean begins = i == 0 && FIRST.indexOf(c) >= 0;
      boolean numbers = digits == i && i > 0 && (c == '.' || c == ')');
      digits += digits == i && c >= '0' && c <= '9' ? 1 : 0;
      switch (c) {
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '&' -> out.append("&amp;");
        default -> {
          if (begins || numbers || SPECIAL.indexOf(c) >= 0 || isOfAddress(line, i)) {
            out.append('\\');
          }
          out.append(c);
        }
      }
    }
    return out.toString();
  }

  /**
   * Whether a character belongs to something like an address, which many viewers turn into a link.
   */
  private static boolean isOfAddress(String line, int i) {
    return line.startsWith("://", i)
        || (line.charAt(i) == '.' && line.regionMatches(true, i - 3, "www", 0, 3));
  }

  /**
   * The text on one line, without characters that move the cursor, end a line or change the
   * direction of writing.
   */
  private static String flat(String text) {
    StringBuilder out = new StringBuilder(text.length());
    text.codePoints()
        .map(c -> isInvisible(c) ? ' ' : c)
        .filter(c -> c != ' ' || (!out.isEmpty() && out.charAt(out.length() - 1) != ' '))
        .forEach(out::appendCodePoint);
    return out.toString().stripTrailing();
  }

  private static boolean isInvisible(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SPACE_SEPARATOR,
          Character.SURROGATE ->
          true;
      default -> false;
    };
  }
}
