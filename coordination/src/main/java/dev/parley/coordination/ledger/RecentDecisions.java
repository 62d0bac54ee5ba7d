package dev.parley.coordination.ledger;

import dev.parley.coordination.fold.Outcome;
import dev.parley.core.Envelope;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The decisions about the latest lines of the ledger, kept only while a stream of changes is open.
 * A stream that falls further behind folds the ledger again. Guarded by the {@link LedgerOwner}.
 */
final class RecentDecisions {
  /** How many decisions are kept. */
  static final int MOST = 4_096;

  private final Map<Long, Outcome> byPosition =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Outcome> eldest) {
          return size() > MOST;
        }
      };

  /** How many streams are open. */
  private int streams;

  void begin() {
    streams++;
  }

  /** Ends a stream. The last one to end clears the decisions. */
  void end() {
    streams--;
    if (streams == 0) {
      byPosition.clear();
    }
  }

  void folded(Envelope line, Ledger after) {
    if (streams > 0) {
      byPosition.put(line.position().value(), after.outcome());
    }
  }

  @Nullable Outcome at(long position) {
    return byPosition.get(position);
  }
}
