package dev.parley.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/** Rows of text whose columns stand under each other. */
public final class Table {
  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  public void row(String... cells) {
    rows.add(List.of(cells));
  }

  /** The lines; the last column is not filled up. */
  public List<String> lines() {
    List<Integer> widths = new ArrayList<>();
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        if (i == widths.size()) {
          widths.add(0);
        }
        widths.set(i, Math.max(widths.get(i), row.get(i).length()));
      }
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        boolean last = i == row.size() - 1;
        line.append(last ? row.get(i) : pad(row.get(i), widths.get(i)) + GAP);
      }
      lines.add(line.toString());
    }
    return lines;
  }

  /** Prints the rows, the first of them as a heading. */
  public void print(Output out) {
    List<String> lines = lines();
    out.line(out.styled(Style.BOLD, lines.getFirst()));
    lines.subList(1, lines.size()).forEach(out::line);
  }

  public static String pad(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }
}
