package dev.parley.bench.process;

import java.util.List;

/** A line of words, read one after the other. */
public final class Cue {
  private final List<String> words;
  private int next;

  Cue(String line) {
    this.words = List.of(line.split(" ", -1));
  }

  public String word() {
    return words.get(next++);
  }

  public int number() {
    return Integer.parseInt(word());
  }

  public long time() {
    return Long.parseLong(word());
  }

  public double value() {
    return Double.parseDouble(word());
  }

  @Override
  public String toString() {
    return String.join(" ", words);
  }
}
