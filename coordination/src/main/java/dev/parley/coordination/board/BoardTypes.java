package dev.parley.coordination.board;

/** The types of envelopes about boards. */
public final class BoardTypes {
  public static final String OPEN = "board.open";
  public static final String ASSESS = "board.assess";
  public static final String DISCUSS = "board.discuss";
  public static final String VOTE = "board.vote";

  /** The agent that opened the session ends a phase although electors are missing. */
  public static final String ADVANCE = "board.advance";

  /** An agent acknowledges the verdict, which the ballots have decided before. */
  public static final String RESOLVE = "board.resolve";

  /** A condition of an earlier session is met. */
  public static final String CHECK_CONDITION = "board.check-condition";

  private BoardTypes() {}
}
