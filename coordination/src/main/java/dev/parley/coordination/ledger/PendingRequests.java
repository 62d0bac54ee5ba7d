package dev.parley.coordination.ledger;

import dev.parley.coordination.fold.Outcome;
import dev.parley.core.Envelope;
import dev.parley.core.ParleyException;
import dev.parley.core.Stored;
import dev.parley.core.json.Json;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the decisions about requests that threads of this process are appending.
 *
 * <p>A thread learns the id of its line only when the append returns. By then another thread may
 * have folded past that line, so while any request is pending every decision is kept until the
 * oldest pending request is answered. Guarded by the {@link LedgerOwner}.
 */
public final class PendingRequests {
  /**
   * @param number the count of lines folded, this one included
   * @param refused why nothing can be decided at this line; null if it can
   */
  private record Decision(long number, Outcome outcome, @Nullable ParleyException refused) {}

  /** The decisions by the id of the line, in the order of the ledger. */
  private final Map<String, Decision> decisions = new LinkedHashMap<>();

  /** The number of pending requests, by the count of lines that were folded when they began. */
  private final TreeMap<Long, Integer> began = new TreeMap<>();

  private long folded;

  /** Begins a request before it is appended; pass the result to {@link #end}. */
  public long begin() {
    began.merge(folded, 1, Integer::sum);
    return folded;
  }

  /** Notes a line that was folded. */
  public void folded(Envelope line, Ledger after) {
    folded++;
    if (!began.isEmpty()) {
      decisions.put(line.id(), decision(after));
    }
  }

  private Decision decision(Ledger ledger) {
    try {
      ledger.checkRules();
      return new Decision(folded, ledger.outcome(), null);
    } catch (ParleyException e) {
      return new Decision(folded, ledger.outcome(), e);
    }
  }

  /**
   * The decision about a line that was folded.
   *
   * @throws ParleyException REFUSED if this program does not know the rules in force there; UNKNOWN
   *     if the line was not found, because the topic was replaced
   */
  Outcome answer(Stored line) {
    Outcome outcome = outcome(line);
    Decision decision = decisions.remove(line.id());
    if (decision != null && decision.refused != null) {
      throw decision.refused;
    }
    return outcome;
  }

  /** The same, whatever the rules in force. */
  public Outcome outcome(Stored line) {
    Decision decision = decisions.get(line.id());
    if (decision == null) {
      throw new ParleyException(
          ParleyException.Kind.UNKNOWN,
          "line-not-met",
          Json.object().put("line", line.position().in(Ledger.TOPIC)).build(),
          null);
    }
    return decision.outcome;
  }

  /** Ends a request, answered or not, and forgets decisions that no other request needs. */
  void end(long request) {
    began.merge(request, -1, (count, one) -> count + one == 0 ? null : count + one);
    long oldest = began.isEmpty() ? Long.MAX_VALUE : began.firstKey();
    Iterator<Decision> each = decisions.values().iterator();
    while (each.hasNext() && each.next().number <= oldest) {
      each.remove();
    }
  }
}
