package dev.parley.coordination.work;

import dev.parley.coordination.board.Agenda;
import dev.parley.coordination.board.Assessment;
import dev.parley.coordination.board.Ballot;
import dev.parley.coordination.board.BoardTypes;
import dev.parley.coordination.board.ReachedPhase;
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
 * Opens sessions of boards and takes part in them. Every answer is the decision at the line of the
 * request: a phase ends with the line of its last missing elector.
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
   * A remark for a discussion.
   *
   * @param to an elector, or {@link Statement#ALL}
   * @param changesVerdict whether the speaker has changed its mind
   */
  public record Speech(String to, Statement.Kind kind, String body, boolean changesVerdict) {}

  /**
   * Opens a session; the ledger gives it its name.
   *
   * @throws ParleyException REFUSED if an elector is not known. Known are the directors, agents
   *     that have joined or live in mounted files, and agents that are expected
   */
  public ReachedPhase open(Agenda agenda, String proposal) {
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
   * Gives this agent's assessment; a later one replaces it until the phase ends.
   *
   * @throws RefusedException if this agent is no elector, or the session is in another phase
   */
  public ReachedPhase assess(String board, Assessment assessment) {
    return ask(BoardTypes.ASSESS, assessment.check().write().put("board", board));
  }

  /**
   * Makes a remark to one elector or to all.
   *
   * @throws RefusedException if this agent is no elector, or the session is in another phase
   */
  public ReachedPhase discuss(String board, Speech speech) {
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
   * Votes. Until the phase ends an elector may vote again, and its last ballot counts.
   *
   * @throws RefusedException if this agent is no elector, or the session is in another phase
   */
  public ReachedPhase vote(String board, Ballot ballot) {
    return ask(BoardTypes.VOTE, ballot.check().write().put("board", board));
  }

  /**
   * Ends a phase without the electors that are missing.
   *
   * @throws RefusedException if another agent opened the session, or it is decided
   */
  public ReachedPhase advance(String board) {
    return ask(BoardTypes.ADVANCE, Json.object().put("board", board));
  }

  /**
   * Acknowledges the decision; doing it twice does no harm.
   *
   * @throws RefusedException if the session is not decided yet
   */
  public ReachedPhase resolve(String board) {
    return ask(BoardTypes.RESOLVE, Json.object().put("board", board));
  }

  /**
   * Declares that a condition of an earlier session is met.
   *
   * @param board an undecided session, in which that is declared
   */
  public void checkCondition(String board, String condition, String note) {
    Json.ObjectBuilder payload =
        Json.object().put("board", board).put("condition", condition).put("note", note);
    var _ = RefusedException.check(owner.ask(session, BoardTypes.CHECK_CONDITION, payload));
  }

  /**
   * Waits until a session is decided, or it is this agent's turn.
   *
   * @return false if the time is over before that
   * @throws RefusedException if the missing electors wait for this agent ({@code would-deadlock})
   */
  public boolean await(String board, Duration atMost) throws InterruptedException {
    return new WaitService(session, owner).until("board:" + board, "", atMost);
  }

  /** The names that an elector can have; empty if this elector is known. */
  private static List<String> known(Roster roster, String elector) {
    if (roster.knows(elector) || Agenda.DIRECTORS.contains(elector) || elector.equals(PERSON)) {
      return List.of();
    }
    List<String> names = new ArrayList<>(roster.names());
    names.addAll(Agenda.DIRECTORS);
    return names;
  }

  /** The person in charge, who is always known. */
  private static final String PERSON = "human";

  private ReachedPhase ask(String type, Json.ObjectBuilder payload) {
    return (ReachedPhase) RefusedException.check(owner.ask(session, type, payload));
  }
}
