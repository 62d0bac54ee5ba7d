package dev.parley.orchestration.moderate.answer;

import java.util.Locale;

/** The criteria of a review's score. */
public enum Criterion {
  CODE_QUALITY(30),
  TEST_COVERAGE(25),
  SECURITY(20),
  DOCUMENTATION(15),
  ACCEPTANCE_CRITERIA(10);

  private final int most;

  Criterion(int most) {
    this.most = most;
  }

  /** The maximum of points. */
  public int most() {
    return most;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
