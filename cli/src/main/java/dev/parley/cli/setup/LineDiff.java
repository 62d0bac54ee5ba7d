package dev.parley.cli.setup;

import java.util.ArrayList;
import java.util.List;

/** The line differences of two texts. */
final class LineDiff {
  /** How many lines around a change are shown. */
  private static final int AROUND = 2;

  private LineDiff() {}

  /**
   * The lines with {@code -}, {@code +} or a blank in front. Lines far from a change are left out.
   */
  static List<String> of(String before, String after) {
    List<String> all = all(before.lines().toList(), after.lines().toList());
    List<String> shown = new ArrayList<>();
    boolean gap = false;
    for (int i = 0; i < all.size(); i++) {
      if (isNearChange(all, i)) {
        shown.add(all.get(i));
        gap = false;
      } else if (!gap) {
        shown.add("  …");
        gap = true;
      }
    }
    return shown;
  }

  private static boolean isNearChange(List<String> all, int index) {
    int from = Math.max(0, index - AROUND);
    int to = Math.min(all.size(), index + AROUND + 1);
    return all.subList(from, to).stream().anyMatch(line -> !line.startsWith(" "));
  }

  /** The longest common subsequence; fast enough, because settings are short. */
  private static List<String> all(List<String> before, List<String> after) {
    int[][] common = new int[before.size() + 1][after.size() + 1];
    for (int i = before.size() - 1; i >= 0; i--) {
      for (int j = after.size() - 1; j >= 0; j--) {
        common[i][j] =
            before.get(i).equals(after.get(j))
                ? common[i + 1][j + 1] + 1
                : Math.max(common[i + 1][j], common[i][j + 1]);
      }
    }
    List<String> lines = new ArrayList<>();
    int i = 0;
    int j = 0;
    while (i < before.size() || j < after.size()) {
      if (i < before.size() && j < after.size() && before.get(i).equals(after.get(j))) {
        lines.add("  " + before.get(i++));
        j++;
      } else if (j == after.size() || (i < before.size() && common[i + 1][j] >= common[i][j + 1])) {
        lines.add("- " + before.get(i++));
      } else {
        lines.add("+ " + after.get(j++));
      }
    }
    return lines;
  }
}
