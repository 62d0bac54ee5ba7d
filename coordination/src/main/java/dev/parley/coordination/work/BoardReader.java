package dev.parley.coordination.work;

import dev.parley.coordination.board.BoardSession;
import dev.parley.coordination.board.Boards;
import dev.parley.coordination.board.Condition;
import dev.parley.coordination.board.Statement;
import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.LedgerOwner;
import dev.parley.core.Envelope;
import dev.parley.core.Log;
import dev.parley.core.ParleyException;
import dev.parley.core.Position;
import dev.parley.core.json.Json;
import dev.parley.core.names.SpellingSuggestion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the sessions of boards. Needs no identity.
 *
 * <p>Does not hide blind assessments: see {@link BoardSession#isBlind}.
 *
 * <p>Safe for use by many threads.
 */
public final class BoardReader {
  private final LedgerOwner owner;
  private final Log log;

  public BoardReader(LedgerOwner owner, Log log) {
    this.owner = owner;
    this.log = log;
  }

  /**
   * A condition of an earlier session.
   *
   * @param check the declaration that it is met; null if there is none
   */
  public record Carried(Condition condition, Condition.@Nullable Check check) {}

  /** All sessions, in the order in which they were opened. */
  public List<BoardSession> all() {
    return owner.look(ledger -> List.copyOf(ledger.boards().all()));
  }

  /**
   * A session.
   *
   * @throws ParleyException REFUSED if there is none of this name
   */
  public BoardSession meeting(String id) {
    return owner.look(ledger -> {
      BoardSession meeting = ledger.boards().meeting(id);
      if (meeting == null) {
        throw unknown(id, ledger.boards());
      }
      return meeting;
    });
  }

  private static ParleyException unknown(String id, Boards boards) {
    String nearest =
        SpellingSuggestion.to(id, boards.all().stream().map(BoardSession::id).toList());
    return ParleyException.refused(
        "no-such-session", Json.object().put("board", id).put("nearest", nearest));
  }

  /** The conditions that were open when a session was opened. */
  public List<Carried> carried(BoardSession meeting) {
    return owner.look(ledger ->
        ledger.boards().carried(meeting).stream()
            .map(condition -> new Carried(condition, ledger.boards().check(condition.id())))
            .toList());
  }

  /** The proposal of a session. */
  public String proposal(BoardSession meeting) {
    BoardSession.Opening opening = meeting.opening();
    return payload(opening.after(), opening.position()).text("proposal", "");
  }

  /** The text of a remark. */
  public String body(Statement remark) {
    return payload(remark.after(), remark.position()).text("body", "");
  }

  private Fields payload(long after, long position) {
    Envelope line = log.next(Ledger.TOPIC, new Position(after)).orElse(null);
    if (line == null || line.position().value() != position) {
      throw new ParleyException(
          ParleyException.Kind.UNKNOWN,
          "line-not-met",
          Json.object().put("line", new Position(position).in(Ledger.TOPIC)).build(),
          null);
    }
    return Fields.of(line.payload());
  }
}
