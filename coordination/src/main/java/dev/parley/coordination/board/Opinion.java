package dev.parley.coordination.board;

/** What an elector thinks before the others are heard. */
public enum Opinion {
  APPROVE,
  /** In favour, with something to look after. */
  CONCERNS,
  REJECT;

  /** The vote that it amounts to if nothing changes it. */
  public Vote leaning() {
    return this == REJECT ? Vote.REJECT : Vote.APPROVE;
  }
}
