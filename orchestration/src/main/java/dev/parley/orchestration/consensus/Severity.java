package dev.parley.orchestration.consensus;

import java.util.Arrays;
import java.util.Locale;

/** How bad a finding is, worst first. */
public enum Severity {
  CRITICAL,
  IMPORTANT,
  SUGGESTION;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The severity that a text begins with. Another word than the three counts as important, because
   * a finding must not get lost.
   */
  static Severity named(String text) {
    String first = text.strip().toLowerCase(Locale.ROOT).split("[^a-z]", 2)[0];
    return switch (first) {
      case "critical", "blocker", "blocking", "severe" -> CRITICAL;
      case "suggestion", "minor", "low", "nit", "info", "note" -> SUGGESTION;
      default -> IMPORTANT;
    };
  }

  /** Whether a text is the name of a severity and nothing else. */
  static boolean isWord(String text) {
    return Arrays.stream(values()).anyMatch(each -> each.word().equals(text.strip()));
  }

  /** Whether it is at least as bad as another. */
  public boolean reaches(Severity other) {
    return compareTo(other) <= 0;
  }
}
