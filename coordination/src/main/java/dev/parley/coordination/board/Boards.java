package dev.parley.coordination.board;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.FoldTime;
import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.fold.Request;
import dev.parley.core.AgentName;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All sessions of boards, also those that are over.
 *
 * <pre>
 * envelope               phase      condition                      to
 * ---------------------  ---------  -----------------------------  ---------------------------------
 * board.open                        the name is new, the agenda    ASSESS
 *                                     is sound
 * board.assess           ASSESS     by an elector; it replaces     once all are in: DISCUSS; VOTE if
 *                                     its earlier one                there are no rounds; RESOLVE if
 *                                                                    it is a quick review
 * board.discuss          DISCUSS    by an elector, to one or ALL   once all have spoken: the next
 *                                                                    round, or VOTE
 * board.vote             VOTE       by an elector; it replaces     once all are in: RESOLVE
 *                                     its earlier one
 * board.advance          ASSESS,    by whoever opened it           as if the time of the phase were
 *                        DISCUSS,                                    over
 *                        VOTE
 * any, the time of the   ASSESS                                    as if all were in; if somebody is
 *   phase is over                                                    and must not be missing: RESOLVE
 *                        DISCUSS                                   VOTE
 *                        VOTE                                      RESOLVE
 * board.resolve          RESOLVE                                   COMPLETE
 *                        COMPLETE                                  nothing; the answer is the same
 * board.check-condition  ASSESS,    by an elector; the condition   the condition is met
 *                        DISCUSS,     is open and of a session
 *                        VOTE         decided before this one
 *                                     was opened
 * anything else                                                    refused
 * </pre>
 *
 * The envelope that brings a session to RESOLVE decides its outcome, which never changes.
 */
public final class Boards {
  /** The most remarks in one session. */
  public static final int MOST_REMARKS = 1_000;

  private static final String PREFIX = "board-";

  private static final Comparator<BoardSession> BY_END =
      (one, other) -> {
        int order = end(one).compareTo(end(other));
        return order != 0 ? order : one.id().compareTo(other.id());
      };

  private final SequencedMap<String, BoardSession> meetings = new LinkedHashMap<>();
  private final TreeSet<BoardSession> byEnd = new TreeSet<>(BY_END);
  private final SequencedMap<String, Condition.Check> checks = new LinkedHashMap<>();

  /** Invariant: every number from the count of sessions plus one up to this one is taken. */
  private int nextNumber;

  /** The sessions that have changed since the last call of {@link #whatChanged}. */
  private final Set<String> changed = new LinkedHashSet<>();

  /**
   * The sessions that entered another phase or round since the last call of {@link #whatTurned}.
   */
  private final Set<String> turned = new LinkedHashSet<>();

  /** No sessions. */
  public Boards() {}

  /** All sessions, in the order in which they were opened. */
  public Collection<BoardSession> all() {
    return Collections.unmodifiableCollection(meetings.values());
  }

  public @Nullable BoardSession meeting(String id) {
    return meetings.get(id);
  }

  /** The line that declared a condition met; null if the condition is open. */
  public Condition.@Nullable Check check(String condition) {
    return checks.get(condition);
  }

  /**
   * The conditions of earlier sessions that were open when this one was opened, whether or not they
   * are met by now.
   */
  public List<Condition> carried(BoardSession meeting) {
    return meetings.values().stream()
        .map(BoardSession::resolution)
        .filter(Objects::nonNull)
        .flatMap(resolution -> resolution.conditions().stream())
        .filter(condition -> isCarried(condition, meeting))
        .toList();
  }

  private boolean isCarried(Condition condition, BoardSession meeting) {
    long opened = meeting.opening().position();
    BoardSession origin = meetings.get(condition.session());
    Resolution resolution = origin == null ? null : origin.resolution();
    Condition.Check check = checks.get(condition.id());
    return resolution != null
        && resolution.position() < opened
        && (check == null || check.position() > opened);
  }

  private @Nullable Condition condition(String id) {
    BoardSession origin = meetings.get(Condition.session(id));
    Resolution resolution = origin == null ? null : origin.resolution();
    return resolution == null
        ? null
        : resolution.conditions().stream()
            .filter(condition -> condition.id().equals(id))
            .findFirst()
            .orElse(null);
  }

  /** Ends the phases whose deadline has passed. */
  public void pass(FoldTime time, long position) {
    Instant now = time.now();
    while (now != null
        && !byEnd.isEmpty()
        && time.isAtOrAfter(Objects.requireNonNull(byEnd.first().stage().ends()))) {
      put(byEnd.first().ended(position, now));
    }
  }

  public Outcome open(Request request) {
    Agenda agenda = Agenda.read(request.payload());
    if (agenda == null) {
      return Outcome.refused("bad-agenda");
    }
    String name = request.payload().text("board", next());
    if (!AgentName.isValid(name)) {
      return Outcome.refused("bad-name");
    }
    BoardSession there = meetings.get(name);
    if (there != null) {
      return Outcome.refused(
          "session-exists", Json.object().put("board", name).put("phase", there.phase().name()));
    }
    BoardSession meeting =
        BoardSession.opened(
            new BoardSession.Opening(
                name, agenda, request.name(), request.after(), request.position()),
            request.now());
    put(meeting);
    return accepted(name);
  }

  private String next() {
    int number = Math.max(meetings.size() + 1, nextNumber);
    while (meetings.containsKey(PREFIX + number)) {
      number++;
    }
    nextNumber = number;
    return PREFIX + number;
  }

  public Outcome assess(Request request) {
    return speak(request, Phase.ASSESS, meeting -> assess(meeting, request));
  }

  private Outcome assess(BoardSession meeting, Request request) {
    Assessment assessment = Assessment.read(request.payload());
    if (assessment == null) {
      return Outcome.refused("bad-assessment");
    }
    return settle(meeting.assessed(request.name(), assessment), request);
  }

  public Outcome discuss(Request request) {
    return speak(request, Phase.DISCUSS, meeting -> discuss(meeting, request));
  }

  private Outcome discuss(BoardSession meeting, Request request) {
    String to = request.payload().text("to", Statement.ALL);
    Statement.Kind kind = request.payload().choice("kind", Statement.Kind.values());
    boolean somebody =
        to.equals(Statement.ALL) || (meeting.isElector(to) && !to.equals(request.name()));
    if (kind == null || !somebody) {
      return Outcome.refused(
          "bad-remark",
          Json.object().put("electors", Json.ofStrings(meeting.agenda().electorate())));
    }
    if (meeting.remarks().size() >= MOST_REMARKS) {
      return Outcome.refused(
          "too-many-remarks", Json.object().put("board", meeting.id()).put("most", MOST_REMARKS));
    }
    Statement remark =
        new Statement(
            request.name(),
            to,
            kind,
            meeting.stage().round(),
            request.payload().flag("changesMyVerdict"),
            request.after(),
            request.position());
    return settle(meeting.said(remark), request);
  }

  public Outcome vote(Request request) {
    return speak(request, Phase.VOTE, meeting -> vote(meeting, request));
  }

  private Outcome vote(BoardSession meeting, Request request) {
    Ballot ballot = Ballot.read(request.payload());
    if (ballot == null) {
      return Outcome.refused("bad-ballot");
    }
    return settle(meeting.voted(request.name(), ballot), request);
  }

  public Outcome advance(Request request) {
    BoardSession meeting = meetings.get(name(request));
    if (meeting == null) {
      return unknown();
    }
    if (meeting.phase().isDecided()) {
      return decided(meeting);
    }
    if (!meeting.opening().by().equals(request.name())) {
      return Outcome.refused(
          "not-yours", Json.object().put("board", meeting.id()).put("by", meeting.opening().by()));
    }
    put(meeting.ended(request.position(), request.now()));
    return accepted(meeting.id());
  }

  public Outcome resolve(Request request) {
    BoardSession meeting = meetings.get(name(request));
    if (meeting == null) {
      return unknown();
    }
    if (!meeting.phase().isDecided()) {
      return Outcome.refused(
          "not-decided",
          Json.object()
              .put("board", meeting.id())
              .put("phase", meeting.phase().name())
              .put("missing", Json.ofStrings(meeting.missing())));
    }
    if (meeting.phase() == Phase.RESOLVE) {
      put(meeting.resolved(request.name(), request.now()));
    }
    return accepted(meeting.id());
  }

  public Outcome checkCondition(Request request) {
    BoardSession meeting = meetings.get(name(request));
    if (meeting == null) {
      return unknown();
    }
    if (meeting.phase().isDecided()) {
      return decided(meeting);
    }
    if (!meeting.isElector(request.name())) {
      return noElector(request, meeting);
    }
    String id = request.payload().text("condition", "");
    Condition condition = condition(id);
    if (condition == null || checks.containsKey(id) || !isCarried(condition, meeting)) {
      return Outcome.refused(
          "no-such-condition", Json.object().put("board", meeting.id()).put("condition", id));
    }
    String note = request.payload().text("note", Assessment.LONGEST_ITEM);
    Condition.Check check =
        new Condition.Check(
            id, request.name(), meeting.id(), request.position(), note == null ? "" : note);
    checks.put(id, check);
    return check;
  }

  private static String name(Request request) {
    return request.payload().text("board", "");
  }

  /** Lets an elector speak if the session is in the phase for it. */
  private Outcome speak(Request request, Phase phase, Function<BoardSession, Outcome> speech) {
    BoardSession meeting = meetings.get(name(request));
    if (meeting == null) {
      return unknown();
    }
    if (!meeting.isElector(request.name())) {
      return noElector(request, meeting);
    }
    if (meeting.phase().isDecided()) {
      return decided(meeting);
    }
    if (meeting.phase() != phase) {
      return Outcome.refused(
          "not-now",
          Json.object()
              .put("board", meeting.id())
              .put("phase", meeting.phase().name())
              .put("missing", Json.ofStrings(meeting.missing())));
    }
    return speech.apply(meeting);
  }

  private static Outcome unknown() {
    return Outcome.refused("no-such-session");
  }

  private static Outcome noElector(Request request, BoardSession meeting) {
    return Outcome.refused(
        "no-elector",
        Json.object()
            .put("board", meeting.id())
            .put("name", request.name())
            .put("electors", Json.ofStrings(meeting.agenda().electorate())));
  }

  private static Outcome decided(BoardSession meeting) {
    return Outcome.refused(
        "decided", Json.object().put("board", meeting.id()).put("phase", meeting.phase().name()));
  }

  private Outcome settle(BoardSession meeting, Request request) {
    put(meeting.settled(request.position(), request.now()));
    return accepted(meeting.id());
  }

  private Outcome accepted(String id) {
    BoardSession meeting = Objects.requireNonNull(meetings.get(id));
    int round = meeting.phase() == Phase.DISCUSS ? meeting.stage().round() : 0;
    return new ReachedPhase(id, meeting.phase(), round);
  }

  private void put(BoardSession meeting) {
    BoardSession before = meetings.put(meeting.id(), meeting);
    if (before != null && before.stage().ends() != null) {
      byEnd.remove(before);
    }
    if (meeting.stage().ends() != null) {
      byEnd.add(meeting);
    }
    changed.add(meeting.id());
    if (before != null
        && (before.phase() != meeting.phase()
            || before.stage().round() != meeting.stage().round())) {
      turned.add(meeting.id());
    }
  }

  /** Calls back with the sessions that changed since the last call. */
  public void whatChanged(Consumer<String> meeting) {
    if (!changed.isEmpty()) {
      changed.forEach(meeting);
      changed.clear();
    }
  }

  /** Calls back with the sessions that entered another phase or round since the last call. */
  public void whatTurned(Consumer<String> meeting) {
    if (!turned.isEmpty()) {
      turned.forEach(meeting);
      turned.clear();
    }
  }

  /**
   * Removes the session that a line has opened, decided or not, or reopens the condition that a
   * line declared met; false if the line did neither.
   */
  public boolean undo(long position) {
    for (BoardSession meeting : meetings.values()) {
      if (meeting.opening().position() == position) {
        meetings.remove(meeting.id());
        if (meeting.stage().ends() != null) {
          byEnd.remove(meeting);
        }
        changed.add(meeting.id());
        nextNumber = 0; // its number is free again
        return true;
      }
    }
    return checks.values().removeIf(check -> check.position() == position);
  }

  /** Moves all times back with the ledger's time, so that every remaining duration is kept. */
  public void moveBack(Duration by) {
    List.copyOf(meetings.values()).forEach(meeting -> put(meeting.movedBack(by)));
  }

  public Json save() {
    return Json.object()
        .put("meetings", Json.of(meetings.values().stream().map(BoardSession::save).toList()))
        .put("checks", Json.of(checks.values().stream().map(Condition.Check::toJson).toList()))
        .build();
  }

  public static Boards load(Fields saved) {
    Boards boards = new Boards();
    for (Json item : saved.items("checks")) {
      Condition.Check check = Condition.Check.load(Fields.of(item));
      boards.checks.put(check.condition(), check);
    }
    saved.items("meetings").forEach(item -> boards.put(BoardSession.load(Fields.of(item))));
    boards.changed.clear();
    return boards;
  }

  private static Instant end(BoardSession meeting) {
    return Objects.requireNonNull(meeting.stage().ends());
  }
}
