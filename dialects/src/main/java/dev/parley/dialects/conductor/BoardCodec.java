package dev.parley.dialects.conductor;

import dev.parley.coordination.board.Agenda;
import dev.parley.coordination.board.Ballot;
import dev.parley.coordination.board.BoardSession;
import dev.parley.coordination.board.Phase;
import dev.parley.coordination.board.Resolution;
import dev.parley.coordination.fold.Fields;
import dev.parley.core.AgentName;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Converts sessions, assessments and votes of a board to Conductor's format and back. Pure
 * functions.
 */
final class BoardCodec {
  private static final int USUAL_SCORE = 5;

  private BoardCodec() {}

  /** Conductor's name for a phase. */
  static String status(Phase phase) {
    return switch (phase) {
      case ASSESS -> "ASSESSING";
      case DISCUSS -> "DISCUSSING";
      case VOTE -> "VOTING";
      case RESOLVE -> "RESOLVING";
      case COMPLETE -> "COMPLETE";
    };
  }

  /** The content of a session's own file. */
  static Json session(BoardSession meeting, String proposal, String started) {
    int electors = meeting.agenda().electorate().size();
    return Json.object()
        .put("session_id", meeting.id())
        .put("checkpoint", meeting.agenda().checkpoint())
        .put("status", status(meeting.phase()))
        .put("proposal", Json.object().put("proposal", proposal).build())
        .put("directors", Json.ofStrings(meeting.agenda().electorate()))
        .put("started_at", started)
        .put(
            "phases",
            Json.object()
                .put("assess", phase(meeting, Phase.ASSESS, meeting.assessments().size(), electors))
                .put(
                    "discuss",
                    Json.object()
                        .put("status", progress(meeting, Phase.DISCUSS))
                        .put("rounds", rounds(meeting))
                        .put("max_rounds", meeting.agenda().rounds())
                        .build())
                .put("vote", phase(meeting, Phase.VOTE, meeting.ballots().size(), electors))
                .put(
                    "resolve",
                    Json.object().put("status", progress(meeting, Phase.RESOLVE)).build())
                .build())
        .build();
  }

  private static Json phase(BoardSession meeting, Phase phase, int complete, int of) {
    return Json.object()
        .put("status", progress(meeting, phase))
        .put("complete", complete)
        .put("of", of)
        .build();
  }

  private static String progress(BoardSession meeting, Phase phase) {
    int compared = meeting.phase().compareTo(phase);
    return compared < 0 ? "NOT_STARTED" : compared == 0 ? "IN_PROGRESS" : "COMPLETE";
  }

  /** The number of discussion rounds that are over. */
  private static int rounds(BoardSession meeting) {
    return switch (meeting.phase()) {
      case ASSESS -> 0;
      case DISCUSS -> meeting.stage().round() - 1;
      default -> meeting.agenda().rounds();
    };
  }

  static Json vote(Ballot ballot) {
    return Json.object()
        .put("final_verdict", ballot.vote().name())
        .put("confidence", ballot.confidence().toJson())
        .put("conditions", Json.ofStrings(ballot.conditions()))
        .build();
  }

  static Json resolution(BoardSession meeting, Resolution resolution) {
    Json.ObjectBuilder votes = Json.object();
    resolution.votes().forEach((director, vote) -> votes.put(director, vote.name()));
    return Json.object()
        .put("session_id", meeting.id())
        .put("verdict", resolution.verdict().name())
        .put("vote_summary", votes.build())
        .put(
            "conditions",
            Json.ofStrings(
                resolution.conditions().stream()
                    .map(condition -> condition.text() + " (" + condition.director() + ")")
                    .toList()))
        .put(
            "dissent",
            Json.of(resolution.dissent().stream().map(Resolution.Dissent::toJson).toList()))
        .put("timestamp", Timestamps.format(resolution.at()))
        .build();
  }

  /** The request that opens, on the bus, a session found in the files. */
  static Json.ObjectBuilder opening(String id, Fields session) {
    Fields proposal = session.object("proposal");
    String checkpoint = session.text("checkpoint", "");
    Json whole = session.json("proposal");
    String bare = whole == null ? "" : whole.toString();
    List<String> directors =
        session.texts("directors").stream().filter(AgentName::isValid).distinct().toList();
    Json.ObjectBuilder opening =
        Json.object()
            .put("board", id)
            .put("checkpoint", checkpoint.isBlank() ? "EVALUATE_PLAN" : checkpoint)
            .put("proposal", proposal.text("proposal", bare))
            .put("electorate", Json.ofStrings(directors.isEmpty() ? Agenda.DIRECTORS : directors));
    if (checkpoint.equals(Agenda.QUICK_REVIEW) || proposal.flag("quick_mode")) {
      return opening.put("quick", true).put("rounds", 0);
    }
    return opening.put(
        "rounds", session.object("phases").object("discuss").number("max_rounds", Agenda.ROUNDS));
  }

  /**
   * A director's entry in {@code assessments.json}. An entry without a score gets the middle score.
   */
  static Json.ObjectBuilder assessment(String board, Fields entry) {
    return Json.object()
        .put("board", board)
        .put("verdict", entry.text("verdict", ""))
        .put("score", score(entry.json("score")))
        .put("concerns", Json.ofStrings(entry.texts("concerns")))
        .put("recommendations", Json.ofStrings(entry.texts("recommendations")));
  }

  private static long score(@Nullable Json score) {
    try {
      return score == null ? USUAL_SCORE : Math.round(Double.parseDouble(score.toString()));
    } catch (NumberFormatException e) {
      return USUAL_SCORE;
    }
  }

  /** A director's entry in {@code votes.json}. */
  static Json.ObjectBuilder ballot(String board, Fields entry) {
    Json.ObjectBuilder ballot =
        Json.object()
            .put("board", board)
            .put("verdict", entry.text("final_verdict", ""))
            .put("conditions", Json.ofStrings(entry.texts("conditions")))
            .put("reason", entry.text("reason", ""));
    Json confidence = entry.json("confidence");
    return confidence == null ? ballot : ballot.put("confidence", confidence);
  }

  /** A director's line in {@code discussion.jsonl}. */
  static Json.ObjectBuilder remark(String board, Fields line) {
    return Json.object()
        .put("board", board)
        .put("to", line.text("to", "ALL"))
        .put("kind", line.text("type", ""))
        .put("body", line.text("message", ""))
        .put("changesMyVerdict", line.flag("changes_my_verdict"));
  }
}
