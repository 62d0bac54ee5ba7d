package dev.parley.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows with aligned columns. If they do not fit, the last column is wrapped. If that makes it too
 * narrow, each cell gets a line of its own.
 */
public final class Table {
  /** The least width to which a last column is wrapped. */
  private static final int NARROWEST = 10;

  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  public void row(String... cells) {
    rows.add(List.of(cells));
  }

  /** The lines at full length; the last column is not padded. */
  public List<String> lines() {
    return lines(Integer.MAX_VALUE);
  }

  /** The lines, up to this width. */
  public List<String> lines(int width) {
    List<Integer> widths = widths();
    int before = 0; // of the last column
    for (int i = 0; i < widths.size() - 1; i++) {
      before += widths.get(i) + GAP.length();
    }
    int left = width - before;
    if (!widths.isEmpty() && left < Math.min(NARROWEST, widths.getLast())) {
      return oneCellALine(rows, width);
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.size() - 1; i++) {
        line.append(pad(row.get(i), widths.get(i))).append(GAP);
      }
      for (String part : Wrap.words(row.getLast(), width - line.length(), left)) {
        lines.add(line.append(part).toString());
        line.setLength(0);
        line.repeat(' ', before);
      }
    }
    return lines;
  }

  /** Prints the rows; the first one is a heading. */
  public void print(Output out) {
    List<String> lines = lines(out.width());
    out.line(out.styled(Style.BOLD, lines.getFirst()));
    lines.subList(1, lines.size()).forEach(out::line);
  }

  private List<Integer> widths() {
    List<Integer> widths = new ArrayList<>();
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        if (i == widths.size()) {
          widths.add(0);
        }
        widths.set(i, Math.max(widths.get(i), row.get(i).length()));
      }
    }
    return widths;
  }

  private static List<String> oneCellALine(List<List<String>> rows, int width) {
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        String indent = i == 0 ? "" : GAP;
        if (!row.get(i).isEmpty()) {
          Wrap.words(row.get(i).strip(), width - indent.length())
              .forEach(line -> lines.add(indent + line));
        }
      }
    }
    return lines;
  }

  public static String pad(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }
}
