package dev.parley.orchestration.meeting;

import dev.parley.coordination.board.Assessment;
import dev.parley.coordination.board.BoardSession;
import dev.parley.coordination.board.Statement;
import dev.parley.coordination.text.Markdown;
import dev.parley.coordination.work.BoardReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Everything that a reviewer needs of a meeting, on one page. */
final class ReviewPacket {
  private ReviewPacket() {}

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
