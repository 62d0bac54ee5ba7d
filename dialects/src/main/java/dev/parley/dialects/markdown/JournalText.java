package dev.parley.dialects.markdown;

/**
 * How a message is written, so that it reads back as it was.
 *
 * <pre>
 *                      a blank line, which also ends an unfinished message above
 * ---
 * messageId: …         front matter
 * ---
 *
 * body                 a line --- is escaped as \---, a line \--- as \\---
 *
 * ---
 * </pre>
 */
final class JournalText {
  static final String RULE = "---";

  private JournalText() {}

  static String write(JournalMessage message) {
    return "\n---\n"
        + FrontMatter.write(message)
        + "---\n\n"
        + escape(message.body())
        + "\n\n---\n";
  }

  /** Whether a line is a rule, with any white space after it. */
  static boolean isRule(String line) {
    return line.startsWith(RULE) && line.substring(RULE.length()).isBlank();
  }

  static String escape(String body) {
    return body.contains(RULE)
        ? eachLine(body, line -> isEscapable(line) ? "\\" + line : line)
        : body;
  }

  static String unescape(String body) {
    return body.contains("\\" + RULE)
        ? eachLine(
            body, line -> line.startsWith("\\") && isEscapable(line) ? line.substring(1) : line)
        : body;
  }

  /** A rule, or a rule that is escaped already. */
  private static boolean isEscapable(String line) {
    int i = 0;
    while (i < line.length() && line.charAt(i) == '\\') {
      i++;
    }
    return isRule(line.substring(i));
  }

  private interface LineChange {
    String apply(String line);
  }

  private static String eachLine(String text, LineChange change) {
    StringBuilder out = new StringBuilder(text.length() + 16);
    int from = 0;
    while (true) {
      int end = text.indexOf('\n', from);
      out.append(change.apply(end < 0 ? text.substring(from) : text.substring(from, end)));
      if (end < 0) {
        return out.toString();
      }
      out.append('\n');
      from = end + 1;
    }
  }
}
