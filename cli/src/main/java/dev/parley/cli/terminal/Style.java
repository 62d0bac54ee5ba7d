package dev.parley.cli.terminal;

/** Text styles for a terminal. */
public enum Style {
  PLAIN(""),
  BOLD("\033[1m"),
  DIM("\033[2m"),
  RED("\033[31m"),
  GREEN("\033[32m"),
  YELLOW("\033[33m"),
  BLUE("\033[34m"),
  MAGENTA("\033[35m"),
  CYAN("\033[36m");

  private static final String END = "\033[0m";

  private final String begin;

  Style(String begin) {
    this.begin = begin;
  }

  /** The text in this style; unchanged for the plain style. */
  String around(String text) {
    return begin.isEmpty() || text.isEmpty() ? text : begin + text + END;
  }
}
