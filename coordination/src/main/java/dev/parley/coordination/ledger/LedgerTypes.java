package dev.parley.coordination.ledger;

/** The types of envelopes in the ledger. */
public final class LedgerTypes {
  /** Puts rules in force from here on, with settings of this bus. */
  public static final String RULES = "rules";

  /** A session asks for a name. */
  public static final String JOIN = "join";

  /** A session ends. */
  public static final String LEAVE = "leave";

  /** A session gives a sign of life, and says what it does. */
  public static final String HEARTBEAT = "heartbeat";

  /** Names agents that have not joined yet, so that mail for them is accepted. */
  public static final String EXPECT = "expect";

  /** Takes back the effects of other lines, under any rules. */
  public static final String UNDO = "undo";

  /** Tells an agent what it lost through a wrong clock: an automatic mail. */
  public static final String CLOCK_CORRECTED = "clock-corrected";

  private LedgerTypes() {}
}
