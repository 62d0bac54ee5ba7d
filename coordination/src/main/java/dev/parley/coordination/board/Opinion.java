package dev.parley.coordination.board;

/** An elector's opinion before the discussion. */
public enum Opinion {
  APPROVE,
  /** In favour, with concerns. */
  CONCERNS,
  REJECT;

  /** The vote that this opinion amounts to if the discussion changes nothing. */
  public Vote leaning() {
    return this == REJECT ? Vote.REJECT : Vote.APPROVE;
  }
}
