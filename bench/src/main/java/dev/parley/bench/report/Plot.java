package dev.parley.bench.report;

import dev.parley.bench.measure.Chart;
import dev.parley.bench.measure.Chart.Point;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Draws a chart as SVG: logarithmic axes, a line a contestant, its name in the legend. */
final class Plot {
  private static final int WIDTH = 860;
  private static final int HEIGHT = 460;
  private static final int LEFT = 78;
  private static final int RIGHT = 260;
  private static final int TOP = 48;
  private static final int BOTTOM = 58;
  private static final String[] COLORS = {
    "#c2185b", "#1565c0", "#2e7d32", "#ef6c00", "#6a1b9a", "#00838f", "#5d4037"
  };

  private final Chart chart;
  private final double left;
  private final double right;
  private final double low;
  private final double high;
  private final StringBuilder svg = new StringBuilder();

  private Plot(Chart chart) {
    this.chart = chart;
    List<Point> points = chart.lines().values().stream().flatMap(List::stream).toList();
    this.left = points.stream().mapToDouble(Point::x).min().orElse(1);
    this.right = Math.max(left * 2, points.stream().mapToDouble(Point::x).max().orElse(10));
    this.low = decade(points.stream().mapToDouble(Point::y).min().orElse(1), Math::floor);
    this.high =
        Math.max(
            low * 10, decade(points.stream().mapToDouble(Point::y).max().orElse(10), Math::ceil));
  }

  private interface Rounding {
    double round(double value);
  }

  private static double decade(double value, Rounding rounding) {
    return Math.pow(10, rounding.round(Math.log10(value)));
  }

  static String svg(Chart chart) {
    return new Plot(chart).draw();
  }

  private String draw() {
    add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
            + " font-family=\"sans-serif\" font-size=\"13\" fill=\"#222\">",
        WIDTH, HEIGHT, WIDTH, HEIGHT);
    add("<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>");
    add(
        "<text x=\"%d\" y=\"26\" font-size=\"17\" font-weight=\"bold\">%s</text>",
        LEFT, escape(chart.title()));
    grid();
    int index = 0;
    for (Map.Entry<String, List<Point>> line : chart.lines().entrySet()) {
      line(line.getKey(), line.getValue(), index++);
    }
    add("</svg>");
    return svg.toString();
  }

  private void grid() {
    int bottom = HEIGHT - BOTTOM;
    for (double value = low; value <= high * 1.001; value *= 10) {
      double y = y(value);
      add(
          "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>",
          LEFT, y, WIDTH - RIGHT, y);
      add("<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>", LEFT - 8, y + 4, tick(value));
    }
    chart
        .labels()
        .forEach((x, label) -> {
          add(
              "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#eee\"/>",
              x(x), TOP, x(x), bottom);
          add(
              "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
              x(x), bottom + 20, escape(label));
        });
    add(
        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#888\"/>",
        LEFT, TOP, WIDTH - RIGHT - LEFT, bottom - TOP);
    add(
        "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" fill=\"#555\">%s</text>",
        (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, escape(chart.across()));
    add(
        "<text transform=\"translate(18 %d) rotate(-90)\" text-anchor=\"middle\" fill=\"#555\">%s</text>",
        (TOP + bottom) / 2, escape(chart.up()));
  }

  private void line(String name, List<Point> points, int index) {
    String color = COLORS[index % COLORS.length];
    StringBuilder path = new StringBuilder();
    for (Point point : points) {
      path.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(point.x()), y(point.y())));
    }
    // Ours, which comes first, is drawn thicker.
    add(
        "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"%s\"/>",
        path.toString().strip(), color, index == 0 ? "3.5" : "2");
    for (Point point : points) {
      add(
          "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%d\" fill=\"%s\"/>",
          x(point.x()), y(point.y()), index == 0 ? 5 : 4, color);
    }
    int legend = TOP + 12 + 24 * index;
    add(
        "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"4\"/>",
        WIDTH - RIGHT + 16, legend, WIDTH - RIGHT + 36, legend, color);
    add("<text x=\"%d\" y=\"%d\">%s</text>", WIDTH - RIGHT + 44, legend + 4, escape(name));
  }

  private double x(double value) {
    double inset = 24;
    double part = Math.log(value / left) / Math.log(right / left);
    return LEFT + inset + part * (WIDTH - RIGHT - LEFT - 2 * inset);
  }

  private double y(double value) {
    double part = Math.log(value / low) / Math.log(high / low);
    return HEIGHT - BOTTOM - part * (HEIGHT - BOTTOM - TOP);
  }

  private static String tick(double value) {
    if (value >= 0.999e6) {
      return String.format(Locale.ROOT, "%.0f M", value / 1e6);
    }
    if (value >= 0.999e3) {
      return String.format(Locale.ROOT, "%.0f k", value / 1e3);
    }
    return value >= 0.999
        ? String.format(Locale.ROOT, "%.0f", value)
        : String.format(Locale.ROOT, "%." + (int) Math.round(-Math.log10(value)) + "f", value);
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  @SuppressWarnings("AnnotateFormatMethod")
  private void add(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
