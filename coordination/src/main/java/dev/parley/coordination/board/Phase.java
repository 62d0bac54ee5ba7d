package dev.parley.coordination.board;

/** How far a session of a board has come; the transitions are on {@link Boards}. */
public enum Phase {
  /** Every elector says what it thinks, for itself. */
  ASSESS,
  /** They answer each other, in rounds. */
  DISCUSS,
  VOTE,
  /** The verdict stands; nobody has taken note of it yet. */
  RESOLVE,
  COMPLETE;

  /** Whether nothing that anybody says can change the verdict. */
  public boolean isDecided() {
    return compareTo(RESOLVE) >= 0;
  }
}
