package dev.parley.orchestration.consensus;

import dev.parley.core.json.Json;
import dev.parley.orchestration.ask.Answer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a consensus. Agents have their real names here, whatever labels they saw.
 *
 * @param session the id of the run
 * @param draw the labels and orders that agents saw
 * @param synthesis null if no agent could be the chairman; then the analyses are the result
 * @param chairmen every agent that was asked to be chairman
 */
public record ConsensusResult(
    String session,
    ConsensusPlan plan,
    Json draw,
    List<Answer> analyses,
    List<Rebuttal> rebuttals,
    @Nullable Answer synthesis,
    List<Answer> chairmen,
    List<ReviewFinding> findings,
    DebateEffect effect) {
  public ConsensusResult {
    analyses = List.copyOf(analyses);
    rebuttals = List.copyOf(rebuttals);
    chairmen = List.copyOf(chairmen);
    findings = List.copyOf(findings);
  }

  /** What one agent said in one round of the debate. */
  public record Rebuttal(int round, Answer answer) {}

  public boolean isReview() {
    return plan.mode() == Mode.CODE_REVIEW;
  }

  public ReviewVerdict verdict() {
    return ReviewVerdict.of(findings);
  }

  /** How many agents gave an analysis. */
  public int answered() {
    return (int) analyses.stream().filter(Answer::ok).count();
  }

  /** Whether an agent or the chairman is missing. */
  public boolean isDegraded() {
    return synthesis == null || answered() < analyses.size();
  }

  public Json toJson() {
    Json.ObjectBuilder fields =
        Json.object()
            .put("session", session)
            .put("mode", plan.mode().word())
            .put("analyses", Json.of(analyses.stream().map(each -> said(each).build()).toList()))
            .put(
                "rebuttals",
                Json.of(
                    rebuttals.stream()
                        .map(each -> said(each.answer()).put("round", each.round()).build())
                        .toList()))
            .put(
                "synthesis",
                synthesis == null
                    ? Json.NULL
                    : Json.object()
                        .put("agent", synthesis.agent())
                        .put("text", synthesis.text())
                        .build())
            .put("degraded", isDegraded())
            .put("draw", draw)
            .put("effect", effect.toJson());
    if (isReview()) {
      fields
          .put("findings", Json.of(findings.stream().map(ReviewFinding::toJson).toList()))
          .put("verdict", verdict().name());
    }
    return fields.build();
  }

  private static Json.ObjectBuilder said(Answer answer) {
    return Json.object()
        .put("agent", answer.agent())
        .put("ok", answer.ok())
        .put(answer.ok() ? "text" : "error", answer.ok() ? answer.text() : answer.error());
  }

  /** The part stored on the bus, without the texts, which are there already. */
  public Json summary() {
    Json.ObjectBuilder fields =
        Json.object()
            .put("mode", plan.mode().word())
            .put("title", plan.title())
            .put("answered", answered())
            .put("of", analyses.size())
            .put("degraded", isDegraded())
            .put("chairman", synthesis == null ? null : synthesis.agent())
            .put("effect", effect.toJson());
    if (isReview()) {
      fields.put("verdict", verdict().name()).put("findings", findings.size());
    }
    return fields.build();
  }
}
