package dev.parley.coordination.ledger;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Outcome;
import dev.parley.core.Envelope;
import dev.parley.core.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Takes back the effects of lines that should not be in the ledger: an {@code undo} names their
 * positions and a reason. It takes effect at its own position, under any rules; earlier decisions
 * stay.
 *
 * <pre>
 * the line it names         effect
 * ------------------------  --------------------------------------------------------------------
 * rules                     its number counts no longer, if there is another: the greatest of the
 *                             others is in force; time is measured as before; how long sessions
 *                             may be silent and the limits are as usual again, if it set them
 * join                      the session that got its name by it ends, and all it has
 * expect                    the names that it made known are not known any more
 * lease.request             its lease ends, or its wait in line
 * lease.accept              the lease ends
 * lease.report              the lease ends; what it took from others is not given back
 * task.add                  the task is cancelled, those that depend on it are skipped
 * task.claim, task.next     the task is ready again, and it was no try; leases for it end
 * wait.begin, wait.report   the wait ends
 * board.open                the session of the board is gone, decided or not, and its conditions
 * board.check-condition     the condition is open again
 * what has ended since      refused: there is nothing to undo
 * anything else             refused: what has ended stays ended, what was said can be said anew
 * </pre>
 *
 * An {@code undo} that names several lines skips those with nothing to undo. It is refused if that
 * leaves none, or if it has no reason.
 */
final class Undo {
  /** The most lines that one undo may name. */
  static final int MOST = 1_000;

  private Undo() {}

  /** Takes back the effect of one line; false if there is none left. */
  interface Line {
    boolean undo(long position, String reason);
  }

  static Outcome apply(Envelope envelope, Line line) {
    Fields payload = Fields.of(envelope.payload());
    String reason = payload.text("reason", "");
    if (reason.isBlank()) {
      return Outcome.refused("no-reason", Json.object().put("what", "undo"));
    }
    List<Long> undone = new ArrayList<>();
    for (long position : positions(payload)) {
      if (line.undo(position, reason)) {
        undone.add(position);
      }
    }
    return undone.isEmpty() ? Outcome.refused("nothing-to-undo") : new Undone(List.copyOf(undone));
  }

  private static Set<Long> positions(Fields payload) {
    Set<Long> positions = new LinkedHashSet<>();
    for (Json item : payload.items("positions")) {
      if (positions.size() < MOST && item.number(0) > 0) {
        positions.add(item.number(0));
      }
    }
    return positions;
  }
}
