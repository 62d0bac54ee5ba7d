package dev.parley.bench.measure;

import dev.parley.bench.measure.Bar.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Everything that measuring a figure gave. Filled by one thread. */
public final class FigureResult {
  /** One line of the table of raw values. */
  public record Row(String contestant, String what, Unit unit, Stats stats) {}

  private final List<Row> rows = new ArrayList<>();
  private final List<Verdict> verdicts = new ArrayList<>();
  private final Map<String, String> absent = new LinkedHashMap<>();
  private final List<Chart> charts = new ArrayList<>();
  private @Nullable Profile profile;

  /** Takes one measured thing of all contestants of a race. */
  public void take(Race race, String what, Unit unit, String title) {
    for (String name : race.names()) {
      Stats stats = race.stats(name, what);
      if (stats != null) {
        rows.add(new Row(name, title, unit, stats));
      }
    }
    absent.putAll(race.absent());
  }

  public void row(String contestant, String what, Unit unit, Stats stats) {
    rows.add(new Row(contestant, what, unit, stats));
  }

  public void verdict(Verdict verdict) {
    verdicts.add(verdict);
  }

  public void chart(Chart chart) {
    charts.add(chart);
  }

  /** Says that something could not be measured. */
  public void absent(String name, String why) {
    absent.put(name, why);
  }

  /** If a bar was missed, finds out where a contestant's time goes. */
  public void explain(Race race, String contestant) {
    if (verdicts.stream().anyMatch(verdict -> verdict.isMeasured() && !verdict.isMet())) {
      profile = race.profile(contestant);
    }
  }

  public List<Row> rows() {
    return rows;
  }

  public List<Verdict> verdicts() {
    return verdicts;
  }

  public Map<String, String> absent() {
    return absent;
  }

  public List<Chart> charts() {
    return charts;
  }

  public @Nullable Profile profile() {
    return profile;
  }
}
