package dev.parley.coordination.board;

import dev.parley.coordination.text.Markdown;
import dev.parley.core.time.Timestamps;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The decision of a board as a Markdown document. */
public final class ResolutionPage {
  private ResolutionPage() {}

  /** The lines of the document. */
  public static List<String> of(BoardSession meeting, Resolution resolution) {
    List<String> lines = new ArrayList<>();
    lines.add("# " + meeting.id() + ": " + resolution.verdict());
    lines.add("");
    lines.add("- Checkpoint: " + Markdown.line(meeting.agenda().checkpoint()));
    lines.add(
        "- Decided: " + Timestamps.format(resolution.at()) + ", ledger@" + resolution.position());
    lines.add(
        "- Policy: " + meeting.agenda().policy() + (resolution.consensus() ? "; consensus" : ""));
    lines.add("- Discussion: " + discussion(meeting, resolution));
    section(lines, "Votes", votes(meeting, resolution));
    section(
        lines,
        "Conditions",
        resolution.conditions().stream()
            .map(condition ->
                "- [ ] %s (%s, %s)"
                    .formatted(
                        Markdown.line(condition.text()),
                        Markdown.line(condition.director()),
                        condition.id()))
            .toList());
    section(
        lines,
        "Dissent",
        resolution.dissent().stream()
            .map(dissent ->
                "- %s, %s: %s"
                    .formatted(
                        Markdown.line(dissent.director()),
                        dissent.vote(),
                        dissent.reason().isBlank()
                            ? "gave no reason"
                            : Markdown.line(dissent.reason())))
            .toList());
    return lines;
  }

  private static void section(List<String> lines, String title, List<String> content) {
    lines.add("");
    lines.add("## " + title);
    lines.add("");
    lines.addAll(content.isEmpty() ? List.of("None.") : content);
  }

  private static List<String> votes(BoardSession meeting, Resolution resolution) {
    List<String> rows =
        new ArrayList<>(List.of("| Director | Vote | Confidence |", "| --- | --- | --- |"));
    for (String elector : meeting.agenda().electorate()) {
      Vote vote = resolution.votes().get(elector);
      Ballot ballot = meeting.ballots().get(elector);
      rows.add(
          "| %s | %s | %s |"
              .formatted(
                  Markdown.line(elector),
                  vote == null ? "missing" : vote,
                  ballot == null ? "" : ballot.confidence()));
    }
    return rows;
  }

  private static String discussion(BoardSession meeting, Resolution resolution) {
    if (meeting.remarks().isEmpty()) {
      return "none";
    }
    String changed =
        resolution.changes().isEmpty()
            ? "it changed no verdict"
            : "it changed "
                + resolution.changes().stream()
                    .map(change ->
                        Markdown.line(change.director())
                            + " from "
                            + change.before()
                            + " to "
                            + change.after())
                    .collect(Collectors.joining(", "));
    return meeting.remarks().size() + " remarks; " + changed;
  }
}
