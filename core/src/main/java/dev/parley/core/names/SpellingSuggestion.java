package dev.parley.core.names;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Suggests the known word that a user may have meant. */
public final class SpellingSuggestion {
  /** The longest word that gets a suggestion. */
  private static final int LONGEST = 40;

  private SpellingSuggestion() {}

  /**
   * The known word with the fewest differences, or with the same beginning; null if none is
   * similar.
   */
  public static @Nullable String to(String typed, List<String> known) {
    if (typed.length() > LONGEST) {
      return null;
    }
    String best = null;
    int fewest = Math.max(1, typed.length() / 3) + 1;
    for (String word : known) {
      int changes = changes(typed, word);
      if (changes < fewest) {
        fewest = changes;
        best = word;
      }
    }
    return best != null ? best : beginning(typed, known);
  }

  private static @Nullable String beginning(String typed, List<String> known) {
    for (String word : known) {
      if (typed.length() > 1 && !typed.equals("--") && word.startsWith(typed)) {
        return word;
      }
    }
    return null;
  }

  /**
   * The edit distance: the number of letters to insert, delete, change or swap with their
   * neighbour.
   */
  static int changes(String from, String to) {
    int[][] table = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        table[i][j] = i == 0 || j == 0 ? i + j : step(table, from, to, i, j);
      }
    }
    return table[from.length()][to.length()];
  }

  private static int step(int[][] table, String from, String to, int i, int j) {
    char a = from.charAt(i - 1);
    char b = to.charAt(j - 1);
    int fewest = table[i - 1][j - 1] + (a == b ? 0 : 1);
    fewest = Math.min(fewest, Math.min(table[i - 1][j], table[i][j - 1]) + 1);
    if (i > 1 && j > 1 && a == to.charAt(j - 2) && b == from.charAt(i - 2)) {
      fewest = Math.min(fewest, table[i - 2][j - 2] + 1);
    }
    return fewest;
  }
}
