package dev.parley.dialects.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.board.Ballot;
import dev.parley.coordination.board.Confidence;
import dev.parley.coordination.board.Phase;
import dev.parley.coordination.board.Vote;
import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Seed 1.7, 1.8: the board's files as the design shows them, and what real directors write. */
class BoardCodecTest {
  private static final Path EXAMPLES = Path.of("src/test/resources/designs/conductor");
  private static final String BOARD = "board-20260201120000";

  private static Fields example(String name) throws Exception {
    return Fields.of(Json.parse(Files.readString(EXAMPLES.resolve(name))));
  }

  private static Fields said(Json.ObjectBuilder builder) {
    return Fields.of(builder.build());
  }

  @Test
  void theDesignsSessionOpensABoard() throws Exception {
    Fields opening = said(BoardCodec.opening(BOARD, example("session.json")));

    assertThat(opening.text("board")).isEqualTo(BOARD);
    assertThat(opening.text("checkpoint")).isEqualTo("EVALUATE_PLAN");
    assertThat(opening.text("proposal")).isEqualTo("Ship it");
    assertThat(opening.texts("electorate")).containsExactly("CA", "CPO", "CSO", "COO", "CXO");
    assertThat(opening.number("rounds", -1)).isEqualTo(3);
    assertThat(opening.flag("quick")).isFalse();
  }

  @Test
  void aQuickReviewHasNoRounds() {
    for (String session :
        List.of(
            "{\"checkpoint\":\"QUICK_REVIEW\",\"proposal\":{\"proposal\":\"p\",\"quick_mode\":true}}",
            "{\"proposal\":{\"proposal\":\"p\",\"quick_mode\":true}}")) {
      Fields opening = said(BoardCodec.opening("b", Fields.of(Json.parse(session))));
      assertThat(opening.flag("quick")).isTrue();
      assertThat(opening.number("rounds", -1)).isZero();
    }
  }

  @Test
  void whatASessionDoesNotSayIsAsTheDesignHasIt() {
    Fields opening =
        said(BoardCodec.opening("b", Fields.of(Json.parse("{\"proposal\":\"bare\"}"))));

    assertThat(opening.text("checkpoint")).isEqualTo("EVALUATE_PLAN");
    assertThat(opening.text("proposal")).contains("bare");
    assertThat(opening.texts("electorate")).hasSize(5);
  }

  @Test
  void theDesignsAssessmentsAreRead() throws Exception {
    Fields assessments = example("assessments.json");

    Fields first = said(BoardCodec.assessment(BOARD, assessments.object("CA")));
    Fields second = said(BoardCodec.assessment(BOARD, assessments.object("CPO")));

    assertThat(first.text("verdict")).isEqualTo("APPROVE");
    assertThat(first.number("score", 0)).isEqualTo(8);
    assertThat(first.texts("concerns")).containsExactly("slow");
    assertThat(first.texts("recommendations")).isEmpty();
    assertThat(second.text("verdict")).isEqualTo("CONCERNS");
    assertThat(second.number("score", 0)).isEqualTo(7);
  }

  @Test
  void aScoreIsRoundedAndAMissingOneIsTheMiddle() {
    for (String[] each :
        new String[][] {{"8.6", "9"}, {"null", "5"}, {"\"high\"", "5"}, {"7", "7"}}) {
      Fields entry = Fields.of(Json.parse("{\"verdict\":\"APPROVE\",\"score\":" + each[0] + "}"));
      assertThat(said(BoardCodec.assessment("b", entry)).number("score", 0))
          .as(each[0])
          .isEqualTo(Long.parseLong(each[1]));
    }
  }

  @Test
  void theDesignsDiscussionIsRead() throws Exception {
    List<Fields> lines =
        Files.readAllLines(EXAMPLES.resolve("discussion.jsonl")).stream()
            .map(line -> said(BoardCodec.remark(BOARD, Fields.of(Json.parse(line)))))
            .toList();

    assertThat(lines).extracting(line -> line.text("kind")).containsExactly("CHALLENGE", "CLARIFY");
    assertThat(lines).extracting(line -> line.text("to")).containsExactly("CPO", "CA");
    assertThat(lines)
        .extracting(line -> line.text("body"))
        .containsExactly("why late?", "the audit");
    assertThat(lines).noneMatch(line -> line.flag("changesMyVerdict"));
  }

  @Test
  void theDesignsVotesAreReadAndOursAreWrittenAlike() throws Exception {
    Fields ballot = said(BoardCodec.ballot(BOARD, example("votes.json").object("CA")));
    assertThat(ballot.text("verdict")).isEqualTo("APPROVE");
    assertThat(ballot.json("confidence")).hasToString("0.9");
    assertThat(ballot.texts("conditions")).isEmpty();

    Json vote = BoardCodec.vote(new Ballot(Vote.REJECT, Confidence.FULL, List.of("tests"), ""));
    assertThat(vote.fields().keySet()).containsExactly("final_verdict", "confidence", "conditions");
    assertThat(said(BoardCodec.ballot("b", Fields.of(vote))).text("verdict")).isEqualTo("REJECT");
  }

  @Test
  void phasesHaveTheDesignsNames() {
    assertThat(Arrays.stream(Phase.values()).map(BoardCodec::status))
        .containsExactly("ASSESSING", "DISCUSSING", "VOTING", "RESOLVING", "COMPLETE");
  }
}
