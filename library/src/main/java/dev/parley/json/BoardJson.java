package dev.parley.json;

import dev.parley.coordination.board.BoardSession;
import dev.parley.coordination.board.Condition;
import dev.parley.coordination.board.Phase;
import dev.parley.coordination.board.ReachedPhase;
import dev.parley.coordination.board.Resolution;
import dev.parley.coordination.board.Statement;
import dev.parley.coordination.work.BoardReader;
import dev.parley.core.json.Json;
import java.util.Map;

/** The JSON of boards: their sessions, statements, ballots and resolutions. */
public final class BoardJson {
  private BoardJson() {}

  /** The phase of a session after a request. */
  public static Json standing(ReachedPhase standing) {
    Json.ObjectBuilder json =
        Json.object().put("session", standing.board()).put("phase", standing.phase().name());
    return (standing.round() == 0 ? json : json.put("round", standing.round())).build();
  }

  /** A session in a list. */
  public static Json.ObjectBuilder summary(BoardSession meeting, LedgerTimes times) {
    Resolution resolution = meeting.resolution();
    Json.ObjectBuilder json =
        Json.object()
            .put("session", meeting.id())
            .put("checkpoint", meeting.agenda().checkpoint())
            .put("phase", meeting.phase().name());
    if (meeting.phase() == Phase.DISCUSS) {
      json.put("round", meeting.stage().round());
    }
    json.put("missing", Json.ofStrings(meeting.missing()))
        .put("since", times.written(meeting.stage().since()));
    if (meeting.stage().ends() != null) {
      json.put("ends", times.written(meeting.stage().ends()));
    }
    return resolution == null ? json : json.put("verdict", resolution.verdict().name());
  }

  /** A remark in a discussion. */
  public static Json remark(BoardSession meeting, Statement remark, String body) {
    return Json.object()
        .put("session", meeting.id())
        .put("from", remark.from())
        .put("to", remark.to())
        .put("kind", remark.kind().name())
        .put("round", remark.round())
        .put("changesMyVerdict", remark.changesVerdict())
        .put("body", body)
        .put("position", remark.position())
        .build();
  }

  /** The decision of a session. */
  public static Json resolution(String session, Resolution resolution) {
    Map<String, Json> all = resolution.write().build().fields();
    Json.ObjectBuilder json = Json.object().put("session", session);
    for (String key : new String[] {"verdict", "votes", "consensus", "conditions", "dissent"}) {
      json.put(key, all.getOrDefault(key, Json.NULL));
    }
    return json.build();
  }

  /** A whole session; blind assessments are hidden. */
  public static Json whole(BoardReader reader, BoardSession meeting, LedgerTimes times) {
    Json.ObjectBuilder assessments = Json.object();
    if (meeting.isBlind()) {
      meeting
          .assessments()
          .keySet()
          .forEach(elector -> assessments.put(elector, Json.object().put("hidden", true).build()));
    } else {
      meeting
          .assessments()
          .forEach((elector, assessment) -> assessments.put(elector, assessment.write().build()));
    }
    Json.ObjectBuilder ballots = Json.object();
    meeting.ballots().forEach((elector, ballot) -> ballots.put(elector, ballot.write().build()));
    Json.ObjectBuilder json =
        summary(meeting, times)
            .put("agenda", meeting.agenda().write().build())
            .put("opener", meeting.opening().by())
            .put("proposal", reader.proposal(meeting))
            .put("assessments", assessments.build())
            .put(
                "discussion",
                Json.of(
                    meeting.remarks().stream()
                        .map(remark -> remark(meeting, remark, reader.body(remark)))
                        .toList()))
            .put("ballots", ballots.build())
            .put(
                "carried",
                Json.of(reader.carried(meeting).stream().map(BoardJson::carried).toList()));
    Resolution resolution = meeting.resolution();
    return (resolution == null
            ? json
            : json.put("resolution", resolution.write().build())
                .put("resolvedBy", meeting.resolvedBy()))
        .build();
  }

  private static Json carried(BoardReader.Carried carried) {
    Condition.Check check = carried.check();
    return Json.object()
        .put("condition", carried.condition().toJson())
        .put("met", check != null)
        .put("check", check == null ? Json.NULL : check.toJson())
        .build();
  }
}
