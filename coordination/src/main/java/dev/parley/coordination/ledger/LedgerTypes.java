package dev.parley.coordination.ledger;

/** The types of envelopes in the ledger. */
public final class LedgerTypes {
  /** Which rules hold from here on, and the bus's own settings of them. */
  public static final String RULES = "rules";

  /** A session asks for a name. */
  public static final String JOIN = "join";

  /** A session ends. */
  public static final String LEAVE = "leave";

  /** A session says that it lives, and what it does. */
  public static final String HEARTBEAT = "heartbeat";

  /** Names agents whose mail waits for them though they have not joined yet. */
  public static final String EXPECT = "expect";

  /** Takes back what other lines have done, under whatever rules. */
  public static final String UNDO = "undo";

  /** Tells an agent what it lost by a wrong clock: an automatic mail. */
  public static final String CLOCK_CORRECTED = "clock-corrected";

  private LedgerTypes() {}
}
