package dev.parley.orchestration.consensus;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How bad a finding is, worst first. */
public enum Severity {
  CRITICAL,
  IMPORTANT,
  SUGGESTION;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static @Nullable Severity named(String word) {
    for (Severity severity : values()) {
      if (severity.word().equals(word.strip().toLowerCase(Locale.ROOT))) {
        return severity;
      }
    }
    return null;
  }

  /** Whether it is at least as bad as another. */
  public boolean reaches(Severity other) {
    return compareTo(other) <= 0;
  }
}
