package dev.parley.dialects.mount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.board.Agenda;
import dev.parley.coordination.board.Assessment;
import dev.parley.coordination.board.Ballot;
import dev.parley.coordination.board.BoardSession;
import dev.parley.coordination.board.Confidence;
import dev.parley.coordination.board.Opinion;
import dev.parley.coordination.board.Phase;
import dev.parley.coordination.board.Resolution;
import dev.parley.coordination.board.Statement;
import dev.parley.coordination.board.Verdict;
import dev.parley.coordination.board.Vote;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.work.BoardService;
import dev.parley.core.json.Json;
import dev.parley.dialects.testing.Client;
import dev.parley.dialects.testing.ConductorBus;
import dev.parley.dialects.testing.RunningBridge;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Seed 1.7 and 1.8: a board of which some directors know only files, and others only the bus. */
class BoardsInMountedFilesTest {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Ballot YES =
      new Ballot(Vote.APPROVE, Confidence.FULL, List.of("condition"), "");

  @TempDir Path folder;
  private final Map<String, Session> sessions = new HashMap<>();
  private ConductorBus bus;

  @BeforeEach
  void mount() {
    bus = new ConductorBus(folder);
  }

  @AfterEach
  void close() {
    bus.close();
  }

  private BoardService joined(String name) {
    return bus.team.boards(sessions.computeIfAbsent(name, bus.team::join));
  }

  private BoardSession meeting(String id) {
    return bus.team.boards().meeting(id);
  }

  private static Assessment thinks(Opinion opinion) {
    return new Assessment(opinion, 8, List.of("slow"), List.of());
  }

  private boolean isMissing(String board, Phase phase, String director) {
    BoardSession meeting = meeting(board);
    return meeting.phase() == phase && meeting.missing().contains(director);
  }

  @Test
  void aMixedBoardResolvesOnce() throws Exception {
    String board = joined("alice").open(Agenda.of("EVALUATE_PLAN"), "Ship it").board();
    List<Client> foreign = new ArrayList<>();
    try (RunningBridge _ = new RunningBridge(bus.place)) {
      for (String director : List.of("CSO", "COO", "CXO")) {
        String verdict = director.equals("CXO") ? "REJECT" : "APPROVE";
        foreign.add(Client.python("conductor_director.py", bus.files, director, verdict));
      }
      for (String director : List.of("CA", "CPO")) {
        var _ = joined(director).assess(board, thinks(Opinion.APPROVE));
      }
      for (int round = 1; round <= 3; round++) {
        for (String director : List.of("CA", "CPO")) {
          int current = round;
          Awaitility.await()
              .atMost(SOON)
              .until(() ->
                  isMissing(board, Phase.DISCUSS, director)
                      && meeting(board).stage().round() == current);
          var _ =
              joined(director)
                  .discuss(
                      board, new BoardService.Speech("ALL", Statement.Kind.AGREE, "fine", false));
        }
      }
      for (String director : List.of("CA", "CPO")) {
        Awaitility.await().atMost(SOON).until(() -> isMissing(board, Phase.VOTE, director));
        var _ = joined(director).vote(board, YES);
      }
      for (Client director : foreign) {
        assertThat(director.exitCode()).isZero();
      }
      Awaitility.await().atMost(SOON).until(() -> bus.queue("BOARD_RESOLVE").size() == 1);
    } finally {
      foreign.forEach(Client::close);
    }
    bus.sync();

    Resolution resolution = meeting(board).resolution();
    assertThat(resolution.verdict()).isEqualTo(Verdict.APPROVED);
    assertThat(resolution.votes()).containsEntry("CXO", Vote.REJECT).hasSize(5);
    assertThat(resolution.conditions()).hasSize(5);
    assertThat(resolution.missing()).isEmpty();
    assertThat(bus.queue("BOARD_RESOLVE")).hasSize(1);
    assertThat(bus.queue("BOARD_RESOLVE").getFirst().object("payload").text("verdict"))
        .isEqualTo("APPROVED");
    assertThat(Files.readString(bus.files.resolve("board/resolution.md")))
        .contains(board + ": APPROVED", "| CXO | REJECT |");
    assertThat(bus.files.resolve("events/BOARD_RESOLVE.event")).exists();
    assertThat(bus.queue("BOARD_RESOLVE").getFirst().object("payload").time("timestamp"))
        .isEqualTo(resolution.at());
    assertThat(bus.read("board/votes.json")).containsOnlyKeys(Agenda.DIRECTORS);
    assertThat(bus.read("board/votes.json", "CA").time("timestamp")).isNotNull();
    assertThat(bus.read("board/assessments.json")).containsOnlyKeys(Agenda.DIRECTORS);
    assertThat(Files.readAllLines(bus.files.resolve("board/discussion.jsonl"))).hasSize(15);
    assertThat(meeting(board).remarks()).hasSize(15);
    assertThat(bus.queue("BOARD_VOTE")).hasSize(2);
  }

  @Test
  void aSessionThatWasOpenedInTheFilesIsDecidedByTheVotesOfBothSides() throws Exception {
    BoardService ca = joined("CA");
    bus.write(
        "board/session-board-20260201120000.json",
        """
        {"session_id": "board-20260201120000", "checkpoint": "EVALUATE_PLAN", "status": "ASSESSING",
         "proposal": {"proposal": "Ship it", "context": {}}, "directors": ["CA", "CPO", "CSO", "COO", "CXO"],
         "started_at": "2026-02-01T12:00:00Z", "phases": {"discuss": {"rounds": 0, "max_rounds": 3}}}
        """);
    bus.sync();
    String board = "board-20260201120000";
    assertThat(bus.team.boards().proposal(meeting(board))).isEqualTo("Ship it");
    assertThat(meeting(board).opening().by()).isEqualTo("orchestrator");
    var _ = ca.assess(board, thinks(Opinion.CONCERNS));
    bus.sync();
    assertThat(bus.read("board/assessments.json", "CA").text("verdict")).isEqualTo("CONCERNS");
    bus.write("board/assessments.json", foreign("\"verdict\":\"APPROVE\",\"score\":8.6"));
    bus.sync();
    assertThat(meeting(board).phase()).isEqualTo(Phase.DISCUSS);
    assertThat(bus.read("board/assessments.json")).containsKey("CA");

    bus.write("board/votes.json", foreign("\"final_verdict\":\"REJECT\",\"confidence\":0.5"));
    bus.sync();
    assertThat(meeting(board).phase()).isEqualTo(Phase.VOTE);
    var _ = ca.vote(board, YES);
    bus.sync();

    assertThat(meeting(board).phase()).isEqualTo(Phase.COMPLETE);
    assertThat(meeting(board).resolution().verdict()).isEqualTo(Verdict.REJECTED);
    assertThat(bus.read("board/votes.json")).containsOnlyKeys(Agenda.DIRECTORS);
    assertThat(bus.queue("BOARD_RESOLVE")).isEmpty();
    assertThat(bus.files.resolve("board/resolution.md")).content().contains("REJECTED");
  }

  private static String foreign(String fields) {
    return Stream.of("CPO", "CSO", "COO", "CXO")
        .map(director -> Json.of(director) + ":{" + fields + "}")
        .collect(Collectors.joining(",", "{", "}"));
  }

  /** A bridge was killed after it said in the ledger what a director wrote. */
  @Test
  void aStatementIsImportedOnceThoughTheBridgeWasKilledBeforeNotingIt() throws Exception {
    String board = joined("alice").open(Agenda.of("PRE_LAUNCH"), "x").board();
    bus.sync();
    bus.write("board/assessments.json", all("\"verdict\":\"APPROVE\",\"score\":8"));
    bus.sync();
    assertThat(meeting(board).phase()).isEqualTo(Phase.DISCUSS);
    bus.write(
        "board/discussion.jsonl",
        "{\"from\":\"CA\",\"to\":\"ALL\",\"type\":\"AGREE\",\"message\":\"fine\"}\n");
    bus.sync();
    assertThat(meeting(board).remarks()).hasSize(1);

    bus.forgetLastNoteOf("heard:");
    bus.sync();

    assertThat(meeting(board).remarks()).hasSize(1);
  }

  private static String all(String fields) {
    return foreign(fields).replaceFirst("\\{", "{\"CA\":{" + fields + "},");
  }

  /** A bridge was killed after it opened a session in the ledger that was opened in the files. */
  @Test
  void aSessionOfTheFilesStaysOneThoughItsRoundWasNotNoted() throws Exception {
    String file = "board/session-board-8.json";
    String session =
        "{\"session_id\":\"board-8\",\"checkpoint\":\"PRE_LAUNCH\",\"status\":\"ASSESSING\",\"proposal\":{\"proposal\":\"p\"}}";
    bus.write(file, session);
    bus.sync();
    bus.forgetLastNoteOf("session:");

    bus.sync();

    assertThat(meeting("board-8").opening().by()).isEqualTo("orchestrator");
    assertThat(bus.files.resolve(file)).hasContent(session);
  }

  @Test
  void whatIsLeftOfAnEarlierSessionDoesNotCountForTheNext() throws Exception {
    bus.write("board/assessments.json", foreign("\"verdict\":\"APPROVE\",\"score\":8"));

    String board = joined("alice").open(Agenda.of("PRE_LAUNCH"), "Again").board();
    bus.sync();

    assertThat(meeting(board).assessments()).isEmpty();
    assertThat(bus.read("board/assessments.json")).isEmpty();
    assertThat(bus.read("board/session-" + board + ".json")).containsKeys("phases", "proposal");
  }

  @Test
  void filesDoNotSpeakForADirectorOnTheBus() throws Exception {
    var _ = joined("CPO");
    String board = joined("alice").open(Agenda.of("PRE_LAUNCH"), "x").board();
    bus.sync();

    bus.write("board/assessments.json", foreign("\"verdict\":\"APPROVE\",\"score\":8"));
    bus.sync();

    assertThat(meeting(board).assessments()).containsOnlyKeys("CSO", "COO", "CXO");
  }

  @Test
  void whatIsBlindOnTheBusIsNotShownInTheFiles() throws Exception {
    BoardService ca = joined("CA");
    String board = joined("alice").open(Agenda.of("PRE_LAUNCH").blind(true), "x").board();
    bus.sync();
    var _ = ca.assess(board, thinks(Opinion.REJECT));
    bus.sync();

    assertThat(bus.read("board/assessments.json")).isEmpty();
    assertThat(bus.queue("BOARD_ASSESS")).isEmpty();
    bus.write("board/assessments.json", foreign("\"verdict\":\"APPROVE\",\"score\":8"));
    bus.sync();
    assertThat(bus.read("board/assessments.json", "CA").text("verdict")).isEqualTo("REJECT");
    assertThat(bus.queue("BOARD_ASSESS")).hasSize(1);
  }

  @Test
  void aQuickReviewIsOverOnceAllHaveAssessed() throws Exception {
    bus.write(
        "board/session-board-7.json",
        "{\"session_id\":\"board-7\",\"checkpoint\":\"QUICK_REVIEW\",\"status\":\"ASSESSING\",\"proposal\":{\"proposal\":\"p\",\"quick_mode\":true}}");
    bus.sync();
    BoardService ca = joined("CA");
    var _ = ca.assess("board-7", thinks(Opinion.CONCERNS));
    bus.write("board/assessments.json", foreign("\"verdict\":\"APPROVE\""));

    bus.sync();

    assertThat(meeting("board-7").resolution().verdict()).isEqualTo(Verdict.APPROVED);
  }
}
