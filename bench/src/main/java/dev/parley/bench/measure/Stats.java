package dev.parley.bench.measure;

import java.util.List;

/** The middle and the ends of some values. */
public record Stats(double median, double min, double max) {
  public static Stats of(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int n = sorted.size();
    double median = (sorted.get((n - 1) / 2) + sorted.get(n / 2)) / 2;
    return new Stats(median, sorted.getFirst(), sorted.getLast());
  }
}
