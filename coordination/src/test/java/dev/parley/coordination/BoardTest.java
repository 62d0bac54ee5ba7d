package dev.parley.coordination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.coordination.board.Agenda;
import dev.parley.coordination.board.Assessment;
import dev.parley.coordination.board.Ballot;
import dev.parley.coordination.board.BoardSession;
import dev.parley.coordination.board.Boards;
import dev.parley.coordination.board.Condition;
import dev.parley.coordination.board.Confidence;
import dev.parley.coordination.board.MissingPolicy;
import dev.parley.coordination.board.Opinion;
import dev.parley.coordination.board.Phase;
import dev.parley.coordination.board.Policy;
import dev.parley.coordination.board.ReachedPhase;
import dev.parley.coordination.board.Resolution;
import dev.parley.coordination.board.Statement;
import dev.parley.coordination.board.Verdict;
import dev.parley.coordination.board.Vote;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.work.BoardReader;
import dev.parley.coordination.work.BoardService;
import dev.parley.coordination.work.BoardService.Speech;
import dev.parley.core.ParleyException;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a board can rely on, whichever log it is on (seed 1.7 to 1.9). */
class BoardTest extends OnEveryLog {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final String WORDS = "Two\nlines and \u001b[31m more";

  private final Map<String, BoardService> directors = new LinkedHashMap<>();
  private BoardService orchestrator;
  private BoardReader reader;

  @BeforeEach
  void aBoard() throws Exception {
    Team team = another();
    for (String director : Agenda.DIRECTORS) {
      directors.put(director, team.boards(team.join(director)));
    }
    orchestrator = team.boards(team.join("orchestrator"));
    reader = another().boards();
  }

  private BoardService director(String name) {
    return directors.get(name);
  }

  private static Agenda agenda() {
    return Agenda.of("EVALUATE_PLAN");
  }

  private static Assessment assessment(Opinion opinion) {
    return new Assessment(opinion, 7, List.of("a concern"), List.of());
  }

  private static Ballot ballot(Vote vote, String... conditions) {
    return new Ballot(vote, Confidence.named("0.8"), List.of(conditions), "");
  }

  private static Speech speech(String to, Statement.Kind kind, String body) {
    return new Speech(to, kind, body, false);
  }

  private Phase assessAll(String board) {
    Phase phase = Phase.ASSESS;
    for (BoardService director : directors.values()) {
      phase = director.assess(board, assessment(Opinion.APPROVE)).phase();
    }
    return phase;
  }

  private Resolution resolution(String board) {
    return reader.meeting(board).resolution();
  }

  @Test
  void aFullMeetingGoesFromTheProposalToTheResolutionByItself() {
    ReachedPhase opened = orchestrator.open(agenda(), WORDS);
    String board = opened.board();
    assertThat(opened.phase()).isEqualTo(Phase.ASSESS);
    assertThat(assessAll(board)).isEqualTo(Phase.DISCUSS);
    for (int round = 1; round <= 3; round++) {
      for (String name : Agenda.DIRECTORS) {
        assertThat(reader.meeting(board).stage().round()).isEqualTo(round);
        director(name).discuss(board, speech(Statement.ALL, Statement.Kind.AGREE, WORDS + round));
      }
    }
    assertThat(reader.meeting(board).phase()).isEqualTo(Phase.VOTE);
    director("CA").vote(board, ballot(Vote.APPROVE, "add tests"));
    director("CPO").vote(board, ballot(Vote.APPROVE));
    director("CSO").vote(board, new Ballot(Vote.REJECT, Confidence.FULL, List.of(), "too risky"));
    director("COO").vote(board, ballot(Vote.APPROVE));
    assertThat(director("CXO").vote(board, ballot(Vote.ABSTAIN)).phase()).isEqualTo(Phase.RESOLVE);
    assertThat(orchestrator.resolve(board).phase()).isEqualTo(Phase.COMPLETE);

    BoardSession meeting = reader.meeting(board);
    Resolution resolution = resolution(board);
    assertThat(meeting.resolvedBy()).isEqualTo("orchestrator");
    assertThat(resolution.verdict()).isEqualTo(Verdict.APPROVED_WITH_REVIEW);
    assertThat(resolution.conditions())
        .containsExactly(new Condition(board + ".1", "CA", "add tests"));
    assertThat(resolution.dissent())
        .containsExactly(new Resolution.Dissent("CSO", Vote.REJECT, "too risky"));
    assertThat(resolution.changes())
        .extracting(Resolution.Change::director)
        .containsExactly("CSO", "CXO");
    assertThat(reader.proposal(meeting)).isEqualTo(WORDS);
    assertThat(reader.body(meeting.remarks().getLast())).isEqualTo(WORDS + 3);
  }

  @Test
  void aDirectorIsToldWhatIsAddressedToItOrToAll() {
    String board = orchestrator.open(agenda(), "").board();
    assessAll(board);
    director("CA").discuss(board, speech("CSO", Statement.Kind.CHALLENGE, "to you"));
    director("CSO").discuss(board, speech("CA", Statement.Kind.CLARIFY, "to CA"));
    director("CSO").discuss(board, speech(Statement.ALL, Statement.Kind.QUESTION, "to all"));

    List<Statement> remarks = reader.meeting(board).remarks();
    assertThat(remarks.stream().filter(remark -> remark.isFor("CSO")).map(reader::body))
        .containsExactly("to you");
    assertThat(remarks.stream().filter(remark -> remark.isFor("CA")).map(reader::body))
        .containsExactly("to CA", "to all");
    assertThat(remarks.stream().filter(remark -> remark.isFor("COO")).map(reader::body))
        .containsExactly("to all");
  }

  @Test
  void ofAQuickReviewTheAssessmentsDecide() {
    String board = orchestrator.open(Agenda.quickReview(), "").board();
    int i = 0;
    for (BoardService director : directors.values()) {
      Opinion opinion = List.of(Opinion.APPROVE, Opinion.CONCERNS, Opinion.REJECT).get(i++ % 3);
      director.assess(board, assessment(opinion));
    }

    assertThat(resolution(board).verdict()).isEqualTo(Verdict.APPROVED);
    assertThat(resolution(board).consensus()).isTrue();
    assertThat(resolution(board).dissent())
        .containsExactly(new Resolution.Dissent("CSO", Vote.REJECT, "a concern"));
  }

  @Test
  void aBallotMayBeChangedUntilThePhaseEndsAndCountsOnce() {
    String board = voting();
    director("CA").vote(board, ballot(Vote.REJECT));
    director("CA").vote(board, ballot(Vote.ABSTAIN, "never mind"));
    for (BoardService director : directors.values()) {
      director.vote(board, ballot(Vote.APPROVE));
    }

    assertThat(resolution(board).votes()).hasSize(5).containsEntry("CA", Vote.APPROVE);
    assertThat(resolution(board).conditions()).isEmpty();
    refused("decided", () -> director("CA").vote(board, ballot(Vote.REJECT)));
    refused("decided", () -> orchestrator.advance(board));
    assertThat(resolution(board).votes()).containsEntry("CA", Vote.APPROVE);
  }

  private String voting() {
    String board = orchestrator.open(agenda().rounds(0), "").board();
    assertThat(assessAll(board)).isEqualTo(Phase.VOTE);
    return board;
  }

  @Test
  void whoHasNoSayIsRefused() {
    String board = orchestrator.open(agenda().rounds(0), "").board();
    refused("no-elector", () -> orchestrator.assess(board, assessment(Opinion.APPROVE)));
    refused("not-now", () -> director("CA").vote(board, ballot(Vote.APPROVE)));
    refused("not-yours", () -> director("CA").advance(board));
    refused("not-decided", () -> director("CA").resolve(board));
    refused("no-such-session", () -> director("CA").resolve("board-9"));
    refused("no-such-session", () -> reader.meeting("board-9"));
  }

  @Test
  void whatNoBoardCanFollowIsNotEvenWritten() {
    refused("bad-agenda", () -> orchestrator.open(agenda().among(List.of()), ""));
    refused("bad-agenda", () -> orchestrator.open(agenda().rounds(Agenda.MOST_ROUNDS + 1), ""));
    refused("bad-agenda", () -> orchestrator.open(agenda().by(new Policy.AtLeast(6)), ""));
    refused(
        "bad-agenda",
        () -> orchestrator.open(agenda().within(Duration.ofDays(31), MissingPolicy.ABSTAIN), ""));
    List<String> crowd = Collections.nCopies(Agenda.MOST_ELECTORS + 1, "x");
    refused("bad-agenda", () -> orchestrator.open(agenda().among(crowd), ""));
    String board = voting();
    List<String> many = Collections.nCopies(Assessment.MOST_ITEMS + 1, "c");
    String text = "x".repeat(Assessment.LONGEST_ITEM + 1);
    BoardService ca = director("CA");
    refused("too-much", () -> ca.vote(board, ballot(Vote.APPROVE, many.toArray(String[]::new))));
    refused("too-much", () -> ca.vote(board, ballot(Vote.APPROVE, text)));
    refused(
        "bad-score",
        () -> ca.assess(board, new Assessment(Opinion.APPROVE, 11, List.of(), List.of())));
    assertThat(reader.all()).hasSize(1);
  }

  @Test
  void aDiscussionIsNotEndless() {
    Agenda alone = agenda().among(List.of("CA", "CPO")).rounds(1);
    String board = orchestrator.open(alone, "").board();
    orchestrator.advance(board);
    for (int i = 0; i < Boards.MOST_REMARKS; i++) {
      director("CA").discuss(board, speech("CPO", Statement.Kind.QUESTION, ""));
    }
    refused(
        "too-many-remarks",
        () -> director("CA").discuss(board, speech("CPO", Statement.Kind.QUESTION, "")));
    assertThat(orchestrator.advance(board).phase()).isEqualTo(Phase.VOTE);
  }

  @Test
  void aPhaseEndsWithItsTimeThoughNobodySaysAnything() throws Exception {
    Agenda quick = agenda().rounds(1).within(Duration.ofSeconds(1), MissingPolicy.REJECT);
    String board = orchestrator.open(quick, "").board();
    for (Phase phase : List.of(Phase.ASSESS, Phase.DISCUSS, Phase.VOTE)) {
      assertThat(reader.meeting(board).phase()).isEqualTo(phase);
      place.pass().accept(Duration.ofSeconds(1));
      // Whoever looks at its time says what time it is.
      var _ = orchestrator.await(board, Duration.ofMillis(1));
    }
    assertThat(orchestrator.await(board, LONG)).isTrue();
    assertThat(resolution(board).verdict()).isEqualTo(Verdict.REJECTED);
    assertThat(resolution(board).missing()).hasSize(5);
  }

  @Test
  void whoWaitsIsWokenWhenItsTurnHasComeOrAllIsDecided() throws Exception {
    String board = orchestrator.open(agenda().among(List.of("CA", "CPO")).rounds(0), "").board();
    assertThat(director("CA").await(board, LONG)).as("it is its turn").isTrue();
    director("CA").assess(board, assessment(Opinion.APPROVE));
    try (ExecutorService others = Executors.newCachedThreadPool()) {
      Future<Boolean> elector =
          others.submit(() -> {
            boolean turn = director("CA").await(board, LONG);
            director("CA").vote(board, ballot(Vote.APPROVE));
            return turn;
          });
      Future<Boolean> opener = others.submit(() -> orchestrator.await(board, LONG));
      director("CPO").assess(board, assessment(Opinion.APPROVE));
      assertThat(elector.get()).isTrue();
      director("CPO").vote(board, ballot(Vote.APPROVE));
      assertThat(opener.get()).isTrue();
    }
    assertThat(resolution(board).verdict()).isEqualTo(Verdict.APPROVED);
    assertThat(reader.meeting(board).phase()).isEqualTo(Phase.RESOLVE);
  }

  @Test
  void aWaitForABoardThatWaitsForOneselfIsRefused() {
    String board = orchestrator.open(agenda().among(List.of("CA")), "").board();
    Team team = another();
    Session bob = team.join("bob");
    Session carol = team.join("carol");
    String other = team.boards(bob).open(agenda().among(List.of("carol")), "").board();
    team.waits(carol).begin("agent:bob", "", null, LONG);
    refused("would-deadlock", () -> team.waits(bob).begin("board:" + other, "", null, LONG));
    assertThat(team.waits(bob).begin("board:" + board, "", null, LONG)).isPositive();
  }

  @Test
  void aWaitForABoardEndsWhenItsNextPhaseWouldCloseACircle() throws Exception {
    Team team = another();
    Session first = team.join("first");
    Session second = team.join("second");
    Agenda two = agenda().among(List.of("first", "second")).rounds(0);
    String board = orchestrator.open(two, "").board();
    team.boards(first).assess(board, assessment(Opinion.APPROVE));
    try (ExecutorService others = Executors.newCachedThreadPool()) {
      Future<Boolean> waiting = others.submit(() -> orchestrator.await(board, LONG));
      Awaitility.await().until(() -> !team.ledger().look(ledger -> ledger.waits().all().isEmpty()));
      var _ = team.waits(first).begin("agent:orchestrator", "", null, LONG);
      team.boards(second).assess(board, assessment(Opinion.APPROVE));
      assertThatThrownBy(waiting::get)
          .cause()
          .isInstanceOfSatisfying(
              ParleyException.class, e -> assertThat(e.code()).isEqualTo("would-deadlock"));
    }
  }

  @Test
  void conditionsAreCarriedOverAndCheckedOff() {
    String first = voting();
    for (BoardService director : directors.values()) {
      director.vote(first, ballot(Vote.APPROVE));
    }
    String second = voting();
    for (BoardService director : directors.values()) {
      director.vote(second, ballot(Vote.APPROVE, "tests"));
    }
    String third = orchestrator.open(agenda(), "").board();
    assertThat(reader.carried(reader.meeting(third)))
        .extracting(carried -> carried.condition().id())
        .containsExactly(second + ".1", second + ".2", second + ".3", second + ".4", second + ".5");

    director("CSO").checkCondition(third, second + ".2", "they are green");
    refused(
        "no-such-condition", () -> director("CSO").checkCondition(third, second + ".2", "again"));
    refused("no-elector", () -> orchestrator.checkCondition(third, second + ".1", ""));
    assertThat(reader.carried(reader.meeting(third)).get(1).check())
        .satisfies(check -> assertThat(check.by()).isEqualTo("CSO"))
        .satisfies(check -> assertThat(check.note()).isEqualTo("they are green"));
    String fourth = orchestrator.open(agenda(), "").board();
    assertThat(reader.carried(reader.meeting(fourth))).hasSize(4);
  }

  @Test
  void anElectorSpeaksOnlyWithTheSessionThatHasItsName() {
    String board = voting();
    Team team = another();
    Session left = Session.begin("late");
    refused("session-ended", () -> team.boards(left).vote(board, ballot(Vote.REJECT)));
    assertThat(reader.meeting(board).ballots()).isEmpty();
  }
}
