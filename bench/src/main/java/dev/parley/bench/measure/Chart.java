package dev.parley.bench.measure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Lines over a common axis, to be drawn. */
public final class Chart {
  /** A value of a line. */
  public record Point(double x, double y) {}

  private final String name;
  private final String title;
  private final String across;
  private final String up;
  private final Map<String, List<Point>> lines = new LinkedHashMap<>();
  private final Map<Double, String> labels = new LinkedHashMap<>();

  /**
   * An empty chart; both axes are logarithmic.
   *
   * @param name of the file, without folder and suffix
   */
  public Chart(String name, String title, String across, String up) {
    this.name = name;
    this.title = title;
    this.across = across;
    this.up = up;
  }

  /** Adds a value; one that was not measured (NaN) or is not above 0 is left out. */
  public void add(String line, double x, double y) {
    if (y > 0) {
      lines.computeIfAbsent(line, name -> new ArrayList<>()).add(new Point(x, y));
    }
  }

  /** Writes text at a place of the axis across, instead of its number. */
  public void label(double x, String text) {
    labels.put(x, text);
  }

  public String name() {
    return name;
  }

  public String title() {
    return title;
  }

  public String across() {
    return across;
  }

  public String up() {
    return up;
  }

  public Map<String, List<Point>> lines() {
    return lines;
  }

  public Map<Double, String> labels() {
    return labels;
  }
}
