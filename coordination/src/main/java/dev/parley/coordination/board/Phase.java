package dev.parley.coordination.board;

/** How far a session of a board has come; the transitions are on {@link Boards}. */
public enum Phase {
  /** Every elector gives its assessment. */
  ASSESS,
  /** The electors answer each other, in rounds. */
  DISCUSS,
  VOTE,
  /** The verdict stands; no agent has acknowledged it yet. */
  RESOLVE,
  COMPLETE;

  /** Whether the verdict stands, so that nothing can change it. */
  public boolean isDecided() {
    return compareTo(RESOLVE) >= 0;
  }
}
