package dev.parley.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/** Wraps text. */
public final class Wrap {
  private Wrap() {}

  /** Lines of words up to this width; a longer word is broken. */
  public static List<String> words(String text, int width) {
    return words(text, width, width);
  }

  /** Lines of words, with another width for the first line. */
  public static List<String> words(String text, int first, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    int most = Math.max(1, first);
    for (String word : text.split(" ", -1)) {
      String rest = word;
      if (!line.isEmpty() && line.length() + 1 + rest.length() > most) {
        lines.add(line.toString());
        line.setLength(0);
        most = Math.max(1, width);
      }
      while (rest.length() > most) {
        int cut = cut(rest, most);
        lines.add(rest.substring(0, cut));
        rest = rest.substring(cut);
        most = Math.max(1, width);
      }
      line.append(line.isEmpty() ? "" : " ").append(rest);
    }
    lines.add(line.toString());
    return lines;
  }

  /** Where to break a word: after a bar or a slash if there is one, never inside a character. */
  private static int cut(String word, int most) {
    for (int at = most; at > most / 2; at--) {
      char before = word.charAt(at - 1);
      if (before == '|' || before == '/') {
        return at;
      }
    }
    boolean inside = most > 1 && Character.isLowSurrogate(word.charAt(most));
    return inside ? most - 1 : most;
  }
}
