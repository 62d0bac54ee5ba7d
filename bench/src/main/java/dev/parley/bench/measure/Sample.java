package dev.parley.bench.measure;

import java.util.LinkedHashMap;
import java.util.Map;

/** What one round of one contestant gave: a value for each thing that was measured. */
public record Sample(Map<String, Double> values) {
  public static final String RATE = "rate";

  public static Sample of(String what, double value) {
    return new Sample(Map.of(what, value));
  }

  /** So many messages in so many nanoseconds. */
  public static Sample rate(long count, long nanos) {
    return of(RATE, count * 1e9 / nanos);
  }

  public Sample and(String what, double value) {
    Map<String, Double> all = new LinkedHashMap<>(values);
    all.put(what, value);
    return new Sample(all);
  }
}
