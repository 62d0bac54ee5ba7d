package dev.parley.coordination.board;

import java.util.Locale;

/** How to count electors who said nothing before a phase ended. */
public enum MissingPolicy {
  /** They count for neither side. */
  ABSTAIN,
  /** They count as rejecting. */
  REJECT,
  /** Nothing is decided without all electors: the verdict is {@link Verdict#ESCALATE}. */
  ESCALATE;

  /** The word for it: its name in small letters. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
