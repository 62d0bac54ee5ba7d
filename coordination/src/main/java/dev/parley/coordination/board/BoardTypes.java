package dev.parley.coordination.board;

/** The types of envelopes about boards. */
public final class BoardTypes {
  public static final String OPEN = "board.open";
  public static final String ASSESS = "board.assess";
  public static final String DISCUSS = "board.discuss";
  public static final String VOTE = "board.vote";

  /** Whoever opened it ends a phase though somebody is missing. */
  public static final String ADVANCE = "board.advance";

  /** Somebody takes note of what was decided; the verdict itself was decided by the ballots. */
  public static final String RESOLVE = "board.resolve";

  /** A condition of an earlier session is met. */
  public static final String CHECK_CONDITION = "board.check-condition";

  private BoardTypes() {}
}
