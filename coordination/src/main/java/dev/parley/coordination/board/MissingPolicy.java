package dev.parley.coordination.board;

import java.util.Locale;

/** What becomes of those who have said nothing when a phase ends without them. */
public enum MissingPolicy {
  /** They count for neither side. */
  ABSTAIN,
  /** They count against. */
  REJECT,
  /** Without all of them nothing is decided: the verdict is {@link Verdict#ESCALATE}. */
  ESCALATE;

  /** How it is written: in small letters. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
