package dev.parley.coordination.board;

import org.jspecify.annotations.Nullable;

/** The decision of a board. */
public enum Verdict {
  APPROVED,
  /** Approved, but by so few that a person should review it. */
  APPROVED_WITH_REVIEW,
  REJECTED,
  /** The board is undecided: a person decides. */
  ESCALATE;

  /** The vote of the winning side; null if no side won. */
  public @Nullable Vote winner() {
    return switch (this) {
      case APPROVED, APPROVED_WITH_REVIEW -> Vote.APPROVE;
      case REJECTED -> Vote.REJECT;
      case ESCALATE -> null;
    };
  }
}
