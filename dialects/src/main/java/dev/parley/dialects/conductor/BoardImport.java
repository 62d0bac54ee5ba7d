package dev.parley.dialects.conductor;

import dev.parley.coordination.board.Assessment;
import dev.parley.coordination.board.Ballot;
import dev.parley.coordination.board.BoardSession;
import dev.parley.coordination.board.BoardTypes;
import dev.parley.coordination.board.Phase;
import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.roster.Member;
import dev.parley.coordination.work.RefusedException;
import dev.parley.core.AgentName;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.dialects.conductor.BoardFiles.Line;
import dev.parley.dialects.sync.BusAccess;
import dev.parley.dialects.sync.SyncPass;
import dev.parley.text.Explanation;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Takes what directors wrote into the files into the ledger, as if they had said it on the bus.
 * Entries for directors who are on the bus themselves are left out. An entry waits in the file
 * until the board reaches the phase it belongs to.
 *
 * <p>A session that was opened in the files is also advanced there. Conductor's discussions have no
 * end of their own, so the first vote ends the discussion.
 */
final class BoardImport {
  /** Note: the session was opened in the files; the value is the opener's name. */
  private static final String THEIRS = "session:";

  /** The field of a remark in the ledger that names the line it was read from. */
  private static final String LINE = "line";

  /** Note: an entry was reported as not counted. */
  private static final String NOT_COUNTED = "not-counted:";

  private static final String ORCHESTRATOR = "orchestrator";

  private final BoardFiles files;
  private final BusAccess bus;

  BoardImport(BoardFiles files, BusAccess bus) {
    this.files = files;
    this.bus = bus;
  }

  /** The opener of a session that was opened in the files; null if it was opened on the bus. */
  static @Nullable String opener(SyncPass pass, String board) {
    return pass.told(THEIRS + board);
  }

  /** Opens the newest session of the files on the bus, unless the bus knows it or it is over. */
  void open(SyncPass pass) {
    String id = "";
    Fields newest = new Fields(Map.of());
    for (JsonObjectFile file : files.sessions()) {
      Map<String, Json> fields = file.read();
      Fields session = new Fields(fields == null ? Map.of() : fields);
      String started = session.text("started_at", "");
      if (id.isEmpty() || started.compareTo(newest.text("started_at", "")) > 0) {
        id = session.text("session_id", "");
        newest = session;
      }
    }
    boolean over = newest.text("status", "").equals("COMPLETE");
    if (AgentName.isValid(id) && !over && meeting(id) == null) {
      boolean free = bus.isElsewhere(ORCHESTRATOR);
      String opener = free ? ORCHESTRATOR : ConductorCodec.DIALECT;
      bus.tell(Map.of(THEIRS + id, opener)); // noted first: afterwards the opener can't be told
      pass.tell(THEIRS + id, opener);
      ask(opener, BoardTypes.OPEN, BoardCodec.opening(id, newest));
    }
  }

  /** Takes in what the files have for a session. */
  void hear(SyncPass pass, String board) {
    hear(
        pass,
        board,
        files.assessments(),
        Phase.ASSESS,
        BoardTypes.ASSESS,
        entry -> BoardCodec.assessment(board, entry));
    files.discussion().forEach(line -> discussed(pass, board, line));
    String opener = opener(pass, board);
    if (opener != null && isIn(board, Phase.DISCUSS) && hasVotes(board)) {
      ask(opener, BoardTypes.ADVANCE, Json.object().put("board", board));
    }
    hear(
        pass,
        board,
        files.votes(),
        Phase.VOTE,
        BoardTypes.VOTE,
        entry -> BoardCodec.ballot(board, entry));
  }

  /** Records the result of a session that was opened in the files. */
  void resolve(SyncPass pass, BoardSession meeting) {
    String opener = opener(pass, meeting.id());
    if (opener != null && meeting.phase() == Phase.RESOLVE) {
      ask(opener, BoardTypes.RESOLVE, Json.object().put("board", meeting.id()));
    }
  }

  private void hear(
      SyncPass pass,
      String board,
      JsonObjectFile file,
      Phase phase,
      String type,
      Function<Fields, Json.ObjectBuilder> wording) {
    Map<String, Json> there = file.read();
    if (there == null) {
      return;
    }
    there.forEach((director, entry) -> {
      String about = type + ":" + board + "/" + director;
      boolean news = !entry.toString().equals(pass.told(about));
      if (news && isIn(board, phase) && !speaksHere(board, director)) {
        notCounted(pass, board, director, type, entry);
      } else if (news && isIn(board, phase)) {
        ask(director, type, wording.apply(Fields.of(entry)));
        pass.tell(about, entry.toString());
      }
    });
  }

  /**
   * Reports a file entry for a director who is on the bus, unless the director said the same there.
   * Anybody can write the file, so such an entry does not count.
   */
  private void notCounted(SyncPass pass, String board, String director, String type, Json entry) {
    BoardSession meeting = meeting(board);
    if (meeting == null || !meeting.isElector(director)) {
      return;
    }
    Ballot ballot = meeting.ballots().get(director);
    Assessment assessment = meeting.assessments().get(director);
    Json said =
        type.equals(BoardTypes.VOTE)
            ? ballot == null ? Json.EMPTY_OBJECT : BoardCodec.vote(ballot)
            : assessment == null ? Json.EMPTY_OBJECT : assessment.write().build();
    boolean same =
        !said.fields().isEmpty() && entry.fields().entrySet().containsAll(said.fields().entrySet());
    String about = NOT_COUNTED + type + ":" + board + "/" + director;
    if (!same && !entry.toString().equals(pass.told(about))) {
      files.remark(
          "the entry of "
              + director
              + " on "
              + board
              + " does not count: "
              + director
              + " is on the bus, and speaks there (parley board, or parley leave first)");
      pass.tell(about, entry.toString());
    }
  }

  private void discussed(SyncPass pass, String board, Line line) {
    String from = line.fields().text("from", "");
    boolean ours = line.fields().text("id") != null;
    boolean news = !ours && pass.told(line.heard()) == null;
    if (news && isIn(board, Phase.DISCUSS) && speaksHere(board, from)) {
      if (!isSaid(board, from, line)) {
        ask(
            from,
            BoardTypes.DISCUSS,
            BoardCodec.remark(board, line.fields()).put(LINE, line.heard()));
      }
      pass.tell(line.heard(), "heard");
    }
  }

  /** Whether an interrupted pass put the line into the ledger but did not note it. */
  private boolean isSaid(String board, String from, Line line) {
    BoardSession meeting = meeting(board);
    return meeting != null
        && meeting.remarks().stream()
            .filter(remark -> remark.from().equals(from))
            .map(remark -> bus.ledgerLine(remark.after()))
            .filter(Objects::nonNull)
            .anyMatch(said -> line.heard().equals(Fields.of(said.payload()).text(LINE)));
  }

  private boolean hasVotes(String board) {
    Map<String, Json> cast = files.votes().read();
    return cast != null && cast.keySet().stream().anyMatch(name -> speaksHere(board, name));
  }

  private @Nullable BoardSession meeting(String board) {
    return bus.owner()
        .look(ledger -> Optional.ofNullable(ledger.boards().meeting(board)))
        .orElse(null);
  }

  private boolean isIn(String board, Phase phase) {
    BoardSession meeting = meeting(board);
    return meeting != null && meeting.phase() == phase;
  }

  private boolean speaksHere(String board, String director) {
    BoardSession meeting = meeting(board);
    return meeting != null && meeting.isElector(director) && !isOnTheBus(director);
  }

  /** Whether a director is on the bus: it joined, and has not left. */
  private boolean isOnTheBus(String director) {
    return bus.owner()
        .look(ledger -> {
          Member member = ledger.roster().member(director);
          return member != null && !member.isMounted() && !member.hasLeft();
        });
  }

  private void ask(String agent, String type, Json.ObjectBuilder payload) {
    try {
      Outcome outcome = bus.owner().ask(bus.standIn(agent), type, payload);
      if (outcome instanceof Outcome.Refused refused) {
        files.remark(
            "the entry of "
                + agent
                + " does not count: "
                + Explanation.of(new RefusedException(refused)).message());
      }
    } catch (ParleyException e) {
      files.remark(Explanation.of(e).message());
    }
  }
}
