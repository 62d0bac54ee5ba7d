package dev.parley.coordination.ledger;

import dev.parley.coordination.board.BoardTypes;
import dev.parley.coordination.lease.LeaseTypes;
import dev.parley.coordination.task.TaskTypes;
import dev.parley.coordination.wait.WaitTypes;
import java.util.Set;

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

  /** The types that need a session with its name, and that the ledger may refuse. */
  private static final Set<String> DECIDED =
      Set.of(
          LeaseTypes.REQUEST,
          LeaseTypes.ACCEPT,
          LeaseTypes.RENEW,
          LeaseTypes.RELEASE,
          LeaseTypes.CANCEL,
          LeaseTypes.BREAK,
          LeaseTypes.REPORT,
          TaskTypes.ADD,
          TaskTypes.CLAIM,
          TaskTypes.NEXT,
          TaskTypes.PROGRESS,
          TaskTypes.BLOCK,
          TaskTypes.DONE,
          TaskTypes.FAIL,
          TaskTypes.RELEASE,
          TaskTypes.RETRY,
          TaskTypes.CANCEL,
          WaitTypes.BEGIN,
          WaitTypes.REPORT,
          WaitTypes.END,
          BoardTypes.OPEN,
          BoardTypes.ASSESS,
          BoardTypes.DISCUSS,
          BoardTypes.VOTE,
          BoardTypes.ADVANCE,
          BoardTypes.RESOLVE,
          BoardTypes.CHECK_CONDITION);

  /**
   * Whether the ledger decides about lines of this type. Only a session with its name may write
   * them.
   */
  public static boolean isDecided(String type) {
    return DECIDED.contains(type);
  }

  /** Whether lines of this type have an effect in a ledger. */
  public static boolean isKnown(String type) {
    return isDecided(type)
        || type.equals(RULES)
        || type.equals(JOIN)
        || type.equals(LEAVE)
        || type.equals(EXPECT)
        || type.equals(UNDO);
  }

  private LedgerTypes() {}
}
