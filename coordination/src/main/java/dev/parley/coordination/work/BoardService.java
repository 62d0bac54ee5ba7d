package dev.parley.coordination.work;

import dev.parley.coordination.board.Agenda;
import dev.parley.coordination.board.Assessment;
import dev.parley.coordination.board.Ballot;
import dev.parley.coordination.board.BoardTypes;
import dev.parley.coordination.board.Standing;
import dev.parley.coordination.board.Statement;
import dev.parley.coordination.ledger.LedgerOwner;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.roster.Roster;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.core.names.SpellingSuggestion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Opens sessions of boards, and takes part in them. Every answer is what the order of the ledger
 * made of the request: a phase ends with the line of its last missing elector.
 *
 * <p>Safe for use by many threads.
 */
public final class BoardService {
  private final Session session;
  private final LedgerOwner owner;

  public BoardService(Session session, LedgerOwner owner) {
    this.session = session;
    this.owner = owner;
  }

  /**
   * Something to say.
   *
   * @param to an elector, or {@link Statement#ALL}
   * @param changesVerdict whether the speaker thinks differently now
   */
  public record Speech(String to, Statement.Kind kind, String body, boolean changesVerdict) {}

  /**
   * Opens a session; the ledger gives it its name.
   *
   * @throws ParleyException REFUSED if nobody has heard of an elector: directors, those who have
   *     joined or live in mounted files, and those who are expected are known
   */
  public Standing open(Agenda agenda, String proposal) {
    Json.ObjectBuilder payload = agenda.check().write().put("proposal", proposal);
    for (String elector : agenda.electorate()) {
      List<String> known = owner.look(ledger -> known(ledger.roster(), elector));
      if (!known.isEmpty()) {
        throw ParleyException.refused(
            "unknown-elector",
            Json.object()
                .put("name", elector)
                .put("nearest", SpellingSuggestion.to(elector, known)));
      }
    }
    return ask(BoardTypes.OPEN, payload);
  }

  /**
   * Says what one thinks, until the phase ends.
   *
   * @throws RefusedException if one is no elector, or the phase is another
   */
  public Standing assess(String board, Assessment assessment) {
    return ask(BoardTypes.ASSESS, assessment.check().write().put("board", board));
  }

  /**
   * Says something to one elector or to all.
   *
   * @throws RefusedException if one is no elector, or the phase is another
   */
  public Standing discuss(String board, Speech speech) {
    Json.ObjectBuilder payload =
        Json.object()
            .put("board", board)
            .put("to", speech.to)
            .put("kind", speech.kind.name())
            .put("body", speech.body);
    if (speech.changesVerdict) {
      payload.put("changesMyVerdict", true);
    }
    return ask(BoardTypes.DISCUSS, payload);
  }

  /**
   * Votes; until the phase ends one may vote otherwise, and the last ballot counts.
   *
   * @throws RefusedException if one is no elector, or the phase is another
   */
  public Standing vote(String board, Ballot ballot) {
    return ask(BoardTypes.VOTE, ballot.check().write().put("board", board));
  }

  /**
   * Ends a phase without those who are missing.
   *
   * @throws RefusedException if another opened the session, or it is decided
   */
  public Standing advance(String board) {
    return ask(BoardTypes.ADVANCE, Json.object().put("board", board));
  }

  /**
   * Takes note of what was decided; doing it twice does no harm.
   *
   * @throws RefusedException if it is not decided yet
   */
  public Standing resolve(String board) {
    return ask(BoardTypes.RESOLVE, Json.object().put("board", board));
  }

  /**
   * Says that a condition of an earlier session is met.
   *
   * @param board a session that is not decided yet, at which that is said
   */
  public void checkCondition(String board, String condition, String note) {
    Json.ObjectBuilder payload =
        Json.object().put("board", board).put("condition", condition).put("note", note);
    var _ = RefusedException.check(owner.ask(session, BoardTypes.CHECK_CONDITION, payload));
  }

  /**
   * Waits until a session is decided, or one's own turn has come.
   *
   * @return whether it is so; false if the time is over
   * @throws RefusedException if those who are missing wait for this session ({@code
   *     would-deadlock})
   */
  public boolean await(String board, Duration atMost) throws InterruptedException {
    return new WaitService(session, owner).until("board:" + board, "", atMost);
  }

  /** Every name that an elector could have; none if this one is among them. */
  private static List<String> known(Roster roster, String elector) {
    if (roster.knows(elector) || Agenda.DIRECTORS.contains(elector) || elector.equals(PERSON)) {
      return List.of();
    }
    List<String> names = new ArrayList<>(roster.names());
    names.addAll(Agenda.DIRECTORS);
    return names;
  }

  /** Always known. */
  private static final String PERSON = "human";

  private Standing ask(String type, Json.ObjectBuilder payload) {
    return (Standing) RefusedException.check(owner.ask(session, type, payload));
  }
}
