package dev.parley.orchestration.ask.call;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Values that must not be written anywhere. They are removed from everything an agent says. */
public final class Secrets {
  /** Shorter values could be ordinary words. */
  private static final int SHORTEST = 8;

  private static final String INSTEAD = "[key removed]";

  private final List<String> values = new ArrayList<>();

  public Secrets(Collection<String> values) {
    values.stream()
        .filter(value -> value.length() >= SHORTEST)
        .distinct()
        .sorted(Comparator.comparingInt(String::length).reversed())
        .forEach(this.values::add);
  }

  public String removedFrom(String text) {
    String clean = text;
    for (String value : values) {
      clean = clean.replace(value, INSTEAD);
    }
    return clean;
  }
}
