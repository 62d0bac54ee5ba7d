package dev.parley.core.names;

/**
 * The grammar that topic parts and agent names share, checked character by character.
 *
 * <p>A <i>piece</i> is {@code [A-Za-z0-9][A-Za-z0-9_-]*}. Pieces are joined by single joiners.
 * Names are never corrected: an invalid name is refused before a path is built from it.
 */
public final class NameGrammar {
  private NameGrammar() {}

  /** Whether {@code text[from..to)} consists of pieces joined by single {@code joiner}s. */
  public static boolean isPieces(String text, int from, int to, char joiner) {
    boolean start = true;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (isLetterOrDigit(c) || (!start && (c == '_' || c == '-'))) {
        start = false;
      } else if (c == joiner && !start) {
        start = true;
      } else {
        return false;
      }
    }
    return !start;
  }

  private static boolean isLetterOrDigit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }

  /** A name for the details of an error: shortened, and only printable ASCII. */
  public static String shown(String name) {
    StringBuilder shown = new StringBuilder();
    int count = Math.min(name.length(), 80);
    for (int i = 0; i < count; i++) {
      char c = name.charAt(i);
      if (c >= 0x20 && c < 0x7f) {
        shown.append(c);
      } else {
        shown.append(String.format("\\u%04x", (int) c));
      }
    }
    return shown.append(count < name.length() ? "…" : "").toString();
  }
}
