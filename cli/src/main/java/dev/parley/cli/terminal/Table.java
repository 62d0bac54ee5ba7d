package dev.parley.cli.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Rows with aligned columns. If they do not fit, the last column is wrapped. If that makes it too
 * narrow, a table with a heading leaves out empty columns, and at last becomes a list: the first
 * cell of each row, and below it the others, each after its heading.
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

  /** The lines, up to this width; the first row is like the others. */
  public List<String> lines(int width) {
    List<Integer> widths = widths(rows);
    return fits(widths, width) ? aligned(rows, widths, width) : oneCellALine(rows, width);
  }

  /** The lines, up to this width; the first row is a heading, which a list does not repeat. */
  public List<String> headed(int width) {
    List<Integer> widths = widths(rows);
    if (fits(widths, width)) {
      return aligned(rows, widths, width);
    }
    List<List<String>> filled = withoutEmptyColumns();
    widths = widths(filled);
    return fits(widths, width) ? aligned(filled, widths, width) : list(width);
  }

  private static int beforeTheLast(List<Integer> widths) {
    int before = 0;
    for (int i = 0; i < widths.size() - 1; i++) {
      before += widths.get(i) + GAP.length();
    }
    return before;
  }

  private static boolean fits(List<Integer> widths, int width) {
    return widths.isEmpty()
        || width - beforeTheLast(widths) >= Math.min(NARROWEST, widths.getLast());
  }

  private static List<String> aligned(List<List<String>> rows, List<Integer> widths, int width) {
    int before = beforeTheLast(widths);
    int left = width - before;
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
    List<String> lines = headed(out.width());
    boolean isList = rows.size() > 1 && !lines.getFirst().startsWith(rows.getFirst().getFirst());
    for (int i = 0; i < lines.size(); i++) {
      boolean stands = isList ? !lines.get(i).startsWith(GAP) : i == 0;
      out.line(stands ? out.styled(Style.BOLD, lines.get(i)) : lines.get(i));
    }
  }

  private static boolean isEmpty(String cell) {
    return cell.isBlank() || cell.equals("-");
  }

  private List<List<String>> withoutEmptyColumns() {
    List<Integer> kept = new ArrayList<>();
    for (int i = 0; i < rows.getFirst().size(); i++) {
      int column = i;
      if (rows.size() == 1 || rows.stream().skip(1).anyMatch(row -> !isEmpty(row.get(column)))) {
        kept.add(i);
      }
    }
    return rows.stream().map(row -> kept.stream().map(row::get).toList()).toList();
  }

  private List<String> list(int width) {
    List<String> heading = rows.getFirst();
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows.subList(1, rows.size())) {
      lines.addAll(Wrap.words(row.getFirst(), width));
      StringBuilder others = new StringBuilder();
      for (int i = 1; i < row.size(); i++) {
        if (!isEmpty(row.get(i))) {
          others.append(others.isEmpty() ? "" : ", ");
          others.append(heading.get(i).toLowerCase(Locale.ROOT)).append(' ');
          others.append(row.get(i).strip());
        }
      }
      if (!others.isEmpty()) {
        Wrap.words(others.toString(), width - GAP.length()).forEach(line -> lines.add(GAP + line));
      }
    }
    return lines.isEmpty() ? Wrap.words(String.join(GAP, heading), width) : lines;
  }

  private static List<Integer> widths(List<List<String>> rows) {
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
