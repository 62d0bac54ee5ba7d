package dev.parley.coordination.bulletin;

/** The types of envelopes in a bulletin; other tools use the same. */
public final class BulletinTypes {
  public static final String DISCOVERY = "board.discovery";
  public static final String WARNING = "board.warning";

  /** An agent is about to change something. */
  public static final String INTENT = "board.intent";

  /** Carried over from an earlier wave. */
  public static final String CONTEXT = "board.context";

  private BulletinTypes() {}
}
