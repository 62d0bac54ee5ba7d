package dev.parley.orchestration.meeting;

import dev.parley.coordination.board.Assessment;
import dev.parley.coordination.board.BoardSession;
import dev.parley.coordination.board.Statement;
import dev.parley.coordination.work.BoardReader;
import dev.parley.coordination.work.BoardReader.Carried;
import dev.parley.orchestration.prompt.PromptTemplate;
import dev.parley.orchestration.prompt.QuotedWords;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The prompts for directors. A prompt depends only on the plan and on what was said before its
 * round, so that a resumed run makes the same prompts.
 */
final class MeetingPrompts {
  private static final PromptTemplate ASSESS = template("assess.txt");
  private static final PromptTemplate CONDITIONS = template("conditions.txt");
  private static final PromptTemplate DISCUSS = template("discuss.txt");
  private static final PromptTemplate VOTE = template("vote.txt");
  private static final String CONDITION_FIELDS =
      ",\n"
          + "  \"conditions_met\": [{\"id\": \"the condition\", \"met\": true or false, \"note\":"
          + " \"how you know\"}]";

  private final MeetingPlan plan;

  MeetingPrompts(MeetingPlan plan) {
    this.plan = plan;
  }

  private static PromptTemplate template(String name) {
    return PromptTemplate.resource(MeetingPrompts.class, name);
  }

  String assess(String director, List<Carried> conditions) {
    List<String> others =
        plan.agenda().electorate().stream().filter(each -> !each.equals(director)).toList();
    return ASSESS.fill(
        Map.of(
            "persona", plan.personas().page(director),
            "checkpoint", plan.agenda().checkpoint(),
            "others", others.isEmpty() ? "nobody" : String.join(", ", others),
            "proposal", QuotedWords.quote("the proposal", plan.proposal()),
            "documents", documents(),
            "conditions", conditions.isEmpty() ? "" : conditions(conditions),
            "condition-fields", conditions.isEmpty() ? "" : CONDITION_FIELDS));
  }

  private static String conditions(List<Carried> conditions) {
    String list =
        conditions.stream()
            .map(Carried::condition)
            .map(each ->
                QuotedWords.quote("condition " + each.id() + " of " + each.director(), each.text()))
            .collect(Collectors.joining("\n"));
    return CONDITIONS.fill(Map.of("list", list));
  }

  String discuss(String director, BoardSession meeting, int round, BoardReader reader) {
    String addressees =
        plan.agenda().electorate().stream()
            .filter(each -> !each.equals(director))
            .map(each -> "\"" + each + "\"")
            .collect(Collectors.joining(", "));
    List<Statement> heard =
        meeting.remarks().stream()
            .filter(remark -> remark.round() < round)
            .filter(remark -> remark.isFor(director) || remark.from().equals(director))
            .toList();
    return DISCUSS.fill(
        Map.of(
            "persona", plan.personas().page(director),
            "checkpoint", plan.agenda().checkpoint(),
            "round", String.valueOf(round),
            "rounds", String.valueOf(plan.agenda().rounds()),
            "proposal", QuotedWords.quote("the proposal", plan.proposal()),
            "documents", documents(),
            "assessments", assessments(meeting),
            "remarks", remarks(heard, reader),
            "addressees", addressees.isEmpty() ? "nobody" : addressees));
  }

  String vote(String director, BoardSession meeting, BoardReader reader) {
    return VOTE.fill(
        Map.of(
            "persona", plan.personas().page(director),
            "checkpoint", plan.agenda().checkpoint(),
            "proposal", QuotedWords.quote("the proposal", plan.proposal()),
            "documents", documents(),
            "assessments", assessments(meeting),
            "remarks", remarks(meeting.remarks(), reader)));
  }

  private String documents() {
    return plan.documents().stream()
        .map(document ->
            "\n" + QuotedWords.quote("a document", document.name() + "\n\n" + document.text()))
        .collect(Collectors.joining("\n"));
  }

  /** Ordered by electorate, not by time. */
  private String assessments(BoardSession meeting) {
    return plan.agenda().electorate().stream()
        .map(elector -> {
          Assessment assessment = meeting.assessments().get(elector);
          return assessment == null
              ? elector + " gave no assessment."
              : QuotedWords.quote(elector, text(assessment));
        })
        .collect(Collectors.joining("\n"));
  }

  private static String text(Assessment assessment) {
    return "%s, score %d of 10%s%s"
        .formatted(
            assessment.opinion(),
            assessment.score(),
            list("Concerns", assessment.concerns()),
            list("Recommendations", assessment.recommendations()));
  }

  private static String list(String title, List<String> items) {
    return items.isEmpty()
        ? ""
        : "\n" + title + ":\n" + items.stream().map("- "::concat).collect(Collectors.joining("\n"));
  }

  /** Ordered by round, then by electorate: the order of arrival means nothing. */
  private String remarks(List<Statement> remarks, BoardReader reader) {
    List<String> order = plan.agenda().electorate();
    if (remarks.isEmpty()) {
      return "Nothing.";
    }
    return remarks.stream()
        .sorted(
            Comparator.comparingInt(Statement::round)
                .thenComparingInt(remark -> order.indexOf(remark.from()))
                .thenComparingLong(Statement::position))
        .map(remark ->
            QuotedWords.quote(
                "%s to %s, round %d, %s%s"
                    .formatted(
                        remark.from(),
                        remark.to(),
                        remark.round(),
                        remark.kind(),
                        remark.changesVerdict() ? ", and changes the verdict" : ""),
                reader.body(remark)))
        .collect(Collectors.joining("\n"));
  }
}
