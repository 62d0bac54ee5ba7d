package dev.parley.coordination.ledger.history;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.FoldReader;
import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.LedgerTypes;
import dev.parley.coordination.ledger.PendingRequests;
import dev.parley.core.Batch;
import dev.parley.core.Bookmark;
import dev.parley.core.Envelope;
import dev.parley.core.Log;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Position;
import dev.parley.core.Reporter;
import dev.parley.core.Stored;
import dev.parley.core.WholeTopic;
import dev.parley.core.json.Json;
import dev.parley.core.store.Views;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Finds lines of the ledger that no Parley program should have written, and undoes them. It works
 * under unknown rules too.
 */
public final class ForgedLedgerLines {

  private ForgedLedgerLines() {}

  /** Why a line stands out. */
  public enum Why {
    /** It put rules in force that this program does not know, so nothing is decided any more. */
    UNKNOWN_RULES,
    /** It is a request of a session that never joined, so it had no effect. */
    NEVER_JOINED,
    /** It has a type of the ledger but is no native line, so it had no effect. */
    FOREIGN
  }

  /**
   * A line that stands out.
   *
   * @param start the position where it begins
   * @param position the position where it ends, which identifies it
   * @param rules the rules it put in force; 0 if none
   */
  public record Suspect(
      Why why, long start, long position, String sender, String type, long rules) {}

  /** Calls back with each line of the ledger that stands out, in order. */
  public static void run(Log log, Consumer<Suspect> found) {
    Ledger ledger = new Ledger();
    Set<String> joined = new HashSet<>();
    Position last = Position.START;
    for (Batch batch : WholeTopic.batches(log, Ledger.TOPIC, Bookmark.START)) {
      for (Envelope envelope : batch.envelopes()) {
        ledger.apply(envelope, last);
        String session = Fields.of(envelope.payload()).text("session", "");
        if (envelope.type().equals(LedgerTypes.JOIN)) {
          joined.add(session);
        }
        if (LedgerTypes.isKnown(envelope.type()) && !envelope.isNative()) {
          found.accept(suspect(Why.FOREIGN, envelope, last, 0));
        } else if (LedgerTypes.isDecided(envelope.type()) && !joined.contains(session)) {
          found.accept(suspect(Why.NEVER_JOINED, envelope, last, 0));
        }
        last = envelope.position();
      }
    }
    if (ledger.rules() > Ledger.RULES) {
      tellRules(log, ledger, found);
    }
  }

  private static void tellRules(Log log, Ledger ledger, Consumer<Suspect> found) {
    Position last = Position.START;
    for (Batch batch : WholeTopic.batches(log, Ledger.TOPIC, Bookmark.START)) {
      for (Envelope envelope : batch.envelopes()) {
        if (envelope.position().value() == ledger.rulesAt()) {
          found.accept(suspect(Why.UNKNOWN_RULES, envelope, last, ledger.rules()));
        }
        last = envelope.position();
      }
    }
  }

  private static Suspect suspect(Why why, Envelope envelope, Position start, long rules) {
    return new Suspect(
        why, start.value(), envelope.position().value(), envelope.sender(), envelope.type(), rules);
  }

  /**
   * Takes back the effects of lines of the ledger, under any rules.
   *
   * @return the decision: see {@link Undo}
   * @throws ParleyException UNKNOWN if it is not known whether the undo was stored
   */
  public static Outcome undo(
      Log log, Views views, Reporter reporter, String sender, List<Long> positions, String reason) {
    FoldReader<Ledger> folded = new FoldReader<>(log, views, reporter, Ledger.KIND);
    var _ = folded.refresh();
    Json payload =
        Json.object()
            .put("positions", Json.of(positions.stream().map(Json::of).toList()))
            .put("reason", reason)
            .build();
    Message message = Message.of(sender, LedgerTypes.UNDO, payload);
    PendingRequests pending = new PendingRequests();
    folded.observe(pending::folded);
    var _ = pending.begin();
    Stored stored = log.append(Ledger.TOPIC, List.of(message)).getFirst();
    var _ = folded.refreshThrough(Ledger.TOPIC, stored.position());
    return pending.outcome(stored);
  }
}
