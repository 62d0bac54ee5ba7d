package dev.parley.orchestration.consensus;

import java.util.List;

/** The verdict of a review, from the findings that {@linkplain ReviewFinding#counts count}. */
public enum ReviewVerdict {
  /** A finding that counts is critical. */
  DO_NOT_MERGE,
  /** A finding that counts is important, none is critical. */
  MERGE_AFTER_FIXES,
  /** No finding that counts is more than a suggestion. */
  MERGE;

  /** The rule, for people. */
  public static final String RULE =
      "critical finding: DO NOT MERGE; else important finding: MERGE AFTER FIXES; else MERGE."
          + " A finding does not count if it was withdrawn, or more agents contest it than found it.";

  static ReviewVerdict of(List<ReviewFinding> findings) {
    ReviewVerdict verdict = MERGE;
    for (ReviewFinding finding : findings) {
      if (finding.counts() && finding.severity() == Severity.CRITICAL) {
        return DO_NOT_MERGE;
      }
      if (finding.counts() && finding.severity() == Severity.IMPORTANT) {
        verdict = MERGE_AFTER_FIXES;
      }
    }
    return verdict;
  }

  public String words() {
    return name().replace('_', ' ');
  }
}
