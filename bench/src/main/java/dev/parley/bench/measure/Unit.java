package dev.parley.bench.measure;

import java.util.Locale;

/** What a value counts, and how it is written for people. */
public enum Unit {
  PER_SECOND("/s"),
  NANOS("ns"),
  MICROS("µs"),
  MILLIS("ms"),
  PERCENT("% CPU"),
  MEGABYTES("MB"),
  MESSAGES("messages");

  private final String symbol;

  Unit(String symbol) {
    this.symbol = symbol;
  }

  public String symbol() {
    return symbol;
  }

  public String show(double value) {
    if (this == PER_SECOND && value >= 1e6) {
      return String.format(Locale.ROOT, "%.2f M%s", value / 1e6, symbol);
    }
    if (this == PER_SECOND && value >= 1e3) {
      return String.format(Locale.ROOT, "%.1f k%s", value / 1e3, symbol);
    }
    return number(value) + " " + symbol;
  }

  /** Three digits that count. */
  public static String number(double value) {
    double size = Math.abs(value);
    String format = size >= 100 || value == 0 ? "%.0f" : size >= 10 ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, format, value);
  }
}
