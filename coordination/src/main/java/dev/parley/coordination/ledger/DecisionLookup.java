package dev.parley.coordination.ledger;

import dev.parley.coordination.fold.Outcome;
import dev.parley.core.Envelope;
import dev.parley.core.Log;
import dev.parley.core.Position;
import dev.parley.core.Report;
import dev.parley.core.WholeTopic;
import dev.parley.core.bus.WriterTable;
import org.jspecify.annotations.Nullable;

/**
 * Looks up what was decided about lines of the ledger, in their order.
 *
 * <p>The owner of the ledger keeps the decisions about the latest lines. An earlier decision
 * depends on all lines before it. So for history this class folds the ledger a second time from its
 * start, and drops that fold when it has caught up.
 */
public final class DecisionLookup implements AutoCloseable {
  private final LedgerOwner owner;
  private final Log log;

  /** Lines up to here are history. */
  private Position historyEnd;

  /** Null when there is no history to fold. */
  private @Nullable History history;

  private boolean closed;

  DecisionLookup(LedgerOwner owner, Log log, Position historyEnd) {
    this.owner = owner;
    this.log = log;
    this.historyEnd = historyEnd;
  }

  /** The decision about a line. Lines must be asked for in their order. */
  public Outcome of(Envelope line) {
    Position position = line.position();
    if (position.compareTo(historyEnd) > 0) {
      history = null;
      Outcome recent = owner.recentDecision(position);
      if (recent != null) {
        return recent;
      }
      historyEnd = owner.position(); // the caller fell too far behind
    }
    if (history == null || !history.isBefore(position)) {
      history = new History(log, position);
    }
    return history.apply(line);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      history = null;
      owner.endDecisions();
    }
  }

  /** A second fold of the ledger, up to the line that was asked for last. */
  private static final class History {
    private final Ledger ledger = new Ledger();
    private Position last = Position.START;

    /** Folds everything before a line. */
    History(Log log, Position line) {
      WriterTable writers = new WriterTable(log.limits());
      WholeTopic.forEach(
          log,
          Ledger.TOPIC,
          envelope -> {
            boolean before = envelope.position().compareTo(line) < 0;
            if (before && !(writers.see(envelope) instanceof Report.Repeated)) {
              apply(envelope);
            }
          });
    }

    Outcome apply(Envelope envelope) {
      ledger.apply(envelope, last);
      last = envelope.position();
      return ledger.outcome();
    }

    boolean isBefore(Position line) {
      return last.compareTo(line) < 0;
    }
  }
}
