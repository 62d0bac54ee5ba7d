package dev.parley.mcp.tools;

import dev.parley.coordination.board.Agenda;
import dev.parley.coordination.board.Assessment;
import dev.parley.coordination.board.Ballot;
import dev.parley.coordination.board.BoardSession;
import dev.parley.coordination.board.Confidence;
import dev.parley.coordination.board.Opinion;
import dev.parley.coordination.board.ReachedPhase;
import dev.parley.coordination.board.Resolution;
import dev.parley.coordination.board.Statement;
import dev.parley.coordination.board.Vote;
import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.work.BoardService;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.mcp.protocol.Call;
import dev.parley.mcp.protocol.Reply;
import dev.parley.mcp.protocol.Tool;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Opens board sessions, and takes part in them. */
final class BoardTool {
  private static final int MOST_LISTED = 20;

  private final AgentContext context;

  BoardTool(AgentContext context) {
    this.context = context;
  }

  Tool tool() {
    return new Tool(
        "board",
        "Decide together: assess, then discuss, then vote. open begins one.",
        Schema.of()
            .choice(
                "action", "", "list", "show", "open", "assess", "discuss", "vote", "advance",
                "resolve")
            .text("board", "its id")
            .text("text", "proposal, remark, or reason")
            .texts("electors", "open: who decides")
            .choice("verdict", "", "APPROVE", "CONCERNS", "REJECT", "ABSTAIN")
            .number("score", "assess: 1-10")
            .text("confidence", "vote: 0-1")
            .texts("conditions", "vote; assess: concerns")
            .choice("kind", "discuss", "CHALLENGE", "AGREE", "QUESTION", "CLARIFY")
            .text("to", "discuss: an elector, or ALL")
            .needs("action")
            .build(),
        false,
        this::answer);
  }

  private Reply answer(Call call) {
    Fields arguments = call.arguments();
    BoardService boards = context.agent().boards();
    return switch (arguments.text("action", "")) {
      case "list" -> context.answer(list());
      case "show" -> context.answer(show(context.parley().boards().meeting(id(arguments))));
      case "open" -> standing(boards.open(agenda(arguments), arguments.text("text", "")));
      case "assess" -> standing(boards.assess(id(arguments), assessment(arguments)));
      case "discuss" -> standing(boards.discuss(id(arguments), speech(arguments)));
      case "vote" -> standing(boards.vote(id(arguments), ballot(arguments)));
      case "advance" -> standing(boards.advance(id(arguments)));
      case "resolve" -> standing(boards.resolve(id(arguments)));
      default ->
          throw ParleyException.invalid(
              "unknown-action", "There is no such action.", "See the schema of board.");
    };
  }

  private Reply standing(ReachedPhase standing) {
    Json.ObjectBuilder answer =
        Json.object().put("board", standing.board()).put("phase", standing.phase().name());
    if (standing.round() > 0) {
      answer.put("round", standing.round());
    }
    return context.answer(answer.build());
  }

  private static String id(Fields arguments) {
    return arguments.text("board", "");
  }

  private static Agenda agenda(Fields arguments) {
    Agenda agenda = Agenda.quickReview();
    List<String> electors = arguments.texts("electors");
    return electors.isEmpty() ? agenda : Agenda.of("EVALUATE_PLAN").among(electors);
  }

  private static Assessment assessment(Fields arguments) {
    return new Assessment(
        choice(Opinion.values(), arguments, "verdict"),
        (int) arguments.number("score", 0),
        arguments.texts("conditions"),
        texts(arguments.text("text")));
  }

  private static List<String> texts(@Nullable String text) {
    return text == null || text.isBlank() ? List.of() : List.of(text);
  }

  private static BoardService.Speech speech(Fields arguments) {
    return new BoardService.Speech(
        arguments.text("to", Statement.ALL),
        choice(Statement.Kind.values(), arguments, "kind"),
        arguments.text("text", ""),
        false);
  }

  private static Ballot ballot(Fields arguments) {
    return new Ballot(
        choice(Vote.values(), arguments, "verdict"),
        Confidence.named(arguments.text("confidence", "1")),
        arguments.texts("conditions"),
        arguments.text("text", ""));
  }

  private static <E extends Enum<E>> E choice(E[] values, Fields arguments, String name) {
    E choice = arguments.choice(name, values);
    if (choice == null) {
      StringBuilder all = new StringBuilder();
      for (E value : values) {
        all.append(all.isEmpty() ? "" : ", ").append(value.name().toUpperCase(Locale.ROOT));
      }
      throw ParleyException.invalid(
          "bad-" + name, "This action needs a " + name + ".", "Use one of " + all + ".");
    }
    return choice;
  }

  Json list() {
    List<BoardSession> all = context.parley().boards().all();
    return Json.object()
        .put(
            "boards",
            Json.of(
                all.subList(Math.max(0, all.size() - MOST_LISTED), all.size()).stream()
                    .map(meeting -> summary(meeting).build())
                    .toList()))
        .build();
  }

  private static Json.ObjectBuilder summary(BoardSession meeting) {
    Json.ObjectBuilder json =
        Json.object()
            .put("board", meeting.id())
            .put("checkpoint", meeting.agenda().checkpoint())
            .put("phase", meeting.phase().name());
    if (!meeting.missing().isEmpty()) {
      json.put("missing", Json.ofStrings(meeting.missing()));
    }
    Resolution resolution = meeting.resolution();
    return resolution == null ? json : json.put("verdict", resolution.verdict().name());
  }

  private Json show(BoardSession meeting) {
    Json.ObjectBuilder json = summary(meeting).put("by", meeting.opening().by());
    String proposal = context.parley().boards().proposal(meeting);
    ModelMailJson.putCut(json, "proposal", proposal, ModelMailJson.MOST_WHOLE);
    if (!meeting.isBlind()) {
      Json.ObjectBuilder assessments = Json.object();
      meeting
          .assessments()
          .forEach((elector, assessment) -> assessments.put(elector, assessment.write().build()));
      json.put("assessments", assessments.build());
    }
    json.put("remarks", Json.of(meeting.remarks().stream().map(this::remark).toList()));
    Json.ObjectBuilder ballots = Json.object();
    meeting.ballots().forEach((elector, ballot) -> ballots.put(elector, ballot.write().build()));
    return json.put("ballots", ballots.build()).build();
  }

  private Json remark(Statement remark) {
    Json.ObjectBuilder json =
        Json.object()
            .put("from", remark.from())
            .put("to", remark.to())
            .put("kind", remark.kind().name());
    String text = context.parley().boards().body(remark);
    ModelMailJson.putCut(json, "text", text, ModelMailJson.MOST_LISTED);
    return json.build();
  }
}
