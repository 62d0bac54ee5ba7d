package dev.parley.coordination.work;

import dev.parley.coordination.board.BoardSession;
import dev.parley.coordination.board.BoardTypes;
import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.LedgerOwner;
import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.Log;
import dev.parley.core.codec.EnvelopeDecoder;
import dev.parley.core.json.Json;
import dev.parley.core.store.Views;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Set;

/**
 * Hides the content of blind assessments until all are in. The log itself is plain text; this class
 * only keeps commands and programs from showing it by accident.
 */
public final class BlindRedaction {
  /** The fields of a line that may be shown in any case. */
  private static final Set<String> PLAIN =
      Set.of("id", "seq", "timestamp", "sender", "topic", "type");

  private final LedgerOwner owner;

  public BlindRedaction(LedgerOwner owner) {
    this.owner = owner;
  }

  /** For a program that only reads the log and has no owner of the ledger. */
  public static BlindRedaction of(Log log, Views views) {
    // The reader of the log reports damage.
    return new BlindRedaction(new LedgerOwner(log, views, report -> {}, InstantSource.system()));
  }

  /** The line as it may be shown now. */
  public Envelope over(Envelope envelope) {
    boolean assesses =
        envelope.topic().equals(Ledger.TOPIC) && envelope.type().equals(BoardTypes.ASSESS);
    return assesses && isBlind(envelope) ? covered(envelope) : envelope;
  }

  private boolean isBlind(Envelope envelope) {
    String board = Fields.of(envelope.payload()).text("board", "");
    return owner.look(ledger -> {
      BoardSession session = ledger.boards().meeting(board);
      return session != null && session.isBlind();
    });
  }

  private static Envelope covered(Envelope envelope) {
    byte[] stored = envelope.toLine();
    Json.ObjectBuilder json = Json.object();
    Json.scanned(stored, 0, stored.length)
        .fields()
        .forEach((key, value) -> {
          if (PLAIN.contains(key)) {
            json.put(key, value);
          }
        });
    byte[] line =
        json.put("payload", payload(envelope)).build().toString().getBytes(StandardCharsets.UTF_8);
    return new EnvelopeDecoder(Limits.DEFAULT)
        .decode(envelope.topic(), line, 0, line.length, envelope.position());
  }

  private static Json payload(Envelope envelope) {
    return Json.object()
        .put("board", Fields.of(envelope.payload()).text("board", ""))
        .put("hidden", "until all assessments are in")
        .build();
  }
}
