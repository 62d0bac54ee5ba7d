package dev.parley.orchestration.meeting;

import dev.parley.coordination.board.Assessment;
import dev.parley.coordination.board.BoardSession;
import dev.parley.coordination.board.Resolution;
import dev.parley.coordination.board.Statement;
import dev.parley.coordination.text.Markdown;
import dev.parley.coordination.work.BoardReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The page that a reviewer of a meeting needs. */
final class ReviewPacket {
  private static final Pattern TEST = Pattern.compile("(?i)\\btest");

  private ReviewPacket() {}

  /** The fields of the journal's REVIEW. */
  static Map<String, String> review(MeetingPlan plan, BoardSession meeting, Resolution resolution) {
    List<String> findings = new ArrayList<>();
    List<String> tests = new ArrayList<>();
    resolution
        .conditions()
        .forEach(condition ->
            findings.add("- condition of " + condition.director() + ": " + line(condition.text())));
    meeting
        .assessments()
        .forEach((elector, assessment) -> {
          assessment.concerns().forEach(each -> findings.add("- " + elector + ": " + line(each)));
          assessment.recommendations().stream()
              .filter(each -> TEST.matcher(each).find())
              .forEach(each -> tests.add("- " + elector + ": " + line(each)));
        });
    return Map.of(
        "scope",
        plan.agenda().checkpoint().replaceAll("\\p{Cntrl}", " ") + ", " + meeting.id(),
        "severity",
        switch (resolution.verdict()) {
          case REJECTED -> "blocker";
          case ESCALATE -> "major";
          case APPROVED_WITH_REVIEW -> "minor";
          case APPROVED -> "nit";
        },
        "findings",
        findings.isEmpty() ? "- none" : String.join("\n", findings),
        "tests",
        tests.isEmpty() ? "No director speaks of tests." : String.join("\n", tests),
        "recommendation",
        resolution.verdict().name());
  }

  private static String line(String text) {
    return Markdown.line(text);
  }

  static String of(
      MeetingPlan plan, BoardSession meeting, BoardReader reader, Map<String, String> missed) {
    List<String> lines = new ArrayList<>();
    lines.add("# Review packet of " + meeting.id());
    lines.add("");
    lines.add("Checkpoint: " + Markdown.line(plan.agenda().checkpoint()));
    lines.add("");
    lines.add("## Who was asked");
    lines.add("");
    for (String elector : plan.agenda().electorate()) {
      String agent = plan.agents().get(elector);
      lines.add(
          "- " + elector + (agent == null ? ": spoke for itself" : ": " + Markdown.line(agent)));
    }
    if (!missed.isEmpty()) {
      lines.add("");
      lines.add("## Who did not answer");
      lines.add("");
      new TreeMap<>(missed)
          .forEach((place, reason) -> lines.add("- " + place + ": " + Markdown.line(reason)));
    }
    lines.add("");
    lines.add("## Assessments");
    lines.add("");
    meeting.assessments().forEach((elector, assessment) -> add(lines, elector, assessment));
    lines.add("");
    lines.add("## Discussion");
    lines.add("");
    for (Statement remark : meeting.remarks()) {
      lines.add(
          "- Round %d, %s to %s, %s: %s"
              .formatted(
                  remark.round(),
                  remark.from(),
                  remark.to(),
                  remark.kind(),
                  Markdown.line(reader.body(remark))));
    }
    return String.join("\n", lines) + "\n";
  }

  private static void add(List<String> lines, String elector, Assessment assessment) {
    lines.add("- " + elector + ": " + assessment.opinion() + ", " + assessment.score() + " of 10");
    assessment.concerns().forEach(each -> lines.add("  - concern: " + Markdown.line(each)));
    assessment
        .recommendations()
        .forEach(each -> lines.add("  - recommendation: " + Markdown.line(each)));
  }
}
