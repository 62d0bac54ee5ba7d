package dev.parley.orchestration.consensus;

import dev.parley.core.json.Json;
import dev.parley.orchestration.ask.Answer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Writes the result of a consensus: a document for people, SARIF for tools. */
public final class ConsensusReport {
  private static final Pattern TEST = Pattern.compile("(?i)\\btest");

  /** How many characters of one answer the report repeats. */
  private static final int MOST_SHOWN = 200_000;

  private ConsensusReport() {}

  /** The full report as Markdown; it is the run's review packet. */
  public static String markdown(ConsensusResult result) {
    StringBuilder text =
        new StringBuilder("# Consensus: ").append(result.plan().title()).append("\n\n");
    text.append("Session ").append(result.session()).append(", ");
    text.append(result.answered()).append(" of ").append(result.analyses().size());
    text.append(" agents answered.\n\n");
    if (result.isReview()) {
      text.append("## Verdict: ").append(result.verdict().words()).append("\n\n");
      text.append(ReviewVerdict.RULE).append("\n\n## Findings\n\n");
      findings(result).forEach(line -> text.append("- ").append(line).append('\n'));
      text.append('\n');
    }
    Answer synthesis = result.synthesis();
    text.append("## Synthesis\n\n");
    text.append(
        synthesis == null
            ? "None: no agent could be the chairman. The analyses below are the result."
            : "By " + synthesis.agent() + ":\n\n" + cut(synthesis.text()));
    text.append("\n\n## Effect of the debate\n\n");
    effect(result.effect()).forEach(line -> text.append("- ").append(line).append('\n'));
    text.append("\n## Analyses\n");
    result.analyses().forEach(answer -> said(text, answer, ""));
    if (!result.rebuttals().isEmpty()) {
      text.append("\n## Rebuttals\n");
      result.rebuttals().forEach(one -> said(text, one.answer(), ", round " + one.round()));
    }
    return text.toString();
  }

  private static void said(StringBuilder text, Answer answer, String more) {
    text.append("\n### ").append(answer.agent()).append(more).append("\n\n");
    text.append(cut(answer.ok() ? answer.text() : "No answer: " + answer.error())).append('\n');
  }

  private static String cut(String words) {
    return words.length() <= MOST_SHOWN
        ? words
        : words.substring(0, MOST_SHOWN) + "\n\n(Cut here. parley runs show --text has all of it.)";
  }

  /** One line for each finding, worst first; those that do not count come last, with the reason. */
  public static List<String> findings(ConsensusResult result) {
    List<String> lines = new ArrayList<>();
    for (boolean counting : new boolean[] {true, false}) {
      for (Severity severity : Severity.values()) {
        for (ReviewFinding finding : result.findings()) {
          if (finding.counts() == counting && finding.severity() == severity) {
            lines.add(line(finding));
          }
        }
      }
    }
    return lines.isEmpty() ? List.of("None.") : lines;
  }

  private static String line(ReviewFinding finding) {
    StringBuilder line = new StringBuilder(finding.id()).append(' ');
    line.append(finding.severity().word());
    if (!finding.file().isEmpty()) {
      line.append(' ').append(finding.place());
    }
    line.append(": ").append(finding.text());
    line.append(" (found by ").append(String.join(", ", finding.foundBy()));
    if (!finding.contestedBy().isEmpty()) {
      line.append("; contested by ").append(String.join(", ", finding.contestedBy()));
    }
    return line.append(finding.withdrawn() ? "; withdrawn)" : ")").toString();
  }

  /** The fields of the journal's REVIEW. */
  public static Map<String, String> review(ConsensusResult result) {
    List<ReviewFinding> counting =
        result.findings().stream().filter(ReviewFinding::counts).toList();
    String tests =
        counting.stream()
            .filter(finding -> TEST.matcher(finding.text()).find())
            .map(finding -> "- " + line(finding))
            .collect(Collectors.joining("\n"));
    return Map.of(
        "scope",
        files(result).isEmpty() ? result.plan().title() : String.join(", ", files(result)),
        "severity",
        counting.stream()
            .map(ReviewFinding::severity)
            .min(Comparator.naturalOrder())
            .map(worst ->
                switch (worst) {
                  case CRITICAL -> "blocker";
                  case IMPORTANT -> "major";
                  case SUGGESTION -> "minor";
                })
            .orElse("nit"),
        "findings",
        findings(result).stream().map(line -> "- " + line).collect(Collectors.joining("\n")),
        "tests",
        tests.isEmpty() ? "No finding speaks of tests." : tests,
        "recommendation",
        result.verdict().words());
  }

  /** The files that findings name. */
  public static List<String> files(ConsensusResult result) {
    return result.findings().stream()
        .map(ReviewFinding::file)
        .filter(file -> !file.isEmpty())
        .distinct()
        .sorted()
        .toList();
  }

  /** The changes by the debate, as lines. */
  public static List<String> effect(DebateEffect effect) {
    List<String> lines = new ArrayList<>();
    if (!effect.debated()) {
      lines.add("There was no debate. Majority of the analyses: " + effect.majorityBefore() + ".");
    } else {
      List<String> changed = effect.positions().changed();
      boolean all = effect.positions().areKnown();
      lines.add(
          "Changed position: "
              + (changed.isEmpty()
                  ? (all ? "nobody" : "nobody said so")
                  : String.join(", ", changed))
              + (all ? "" : " (of some it is unknown)")
              + ".");
      changed.forEach(agent -> lines.add(agent + ": " + effect.positions().change(agent)));
      lines.add(
          "Majority before the debate: "
              + effect.majorityBefore()
              + "; after it: "
              + effect.majorityAfter()
              + ".");
    }
    lines.add(
        "Conclusion: "
            + Objects.requireNonNullElse(effect.conclusion(), Positions.UNKNOWN)
            + ". Same as the majority before the debate: "
            + effect.sameAsMajority()
            + ".");
    if (effect.debated()) {
      lines.add(
          "Findings added "
              + effect.findingsAdded()
              + ", withdrawn "
              + effect.findingsWithdrawn()
              + "; "
              + effect.asks()
              + " more requests, "
              + (effect.usage().tokens() < 0 ? "unknown" : effect.usage().tokens())
              + " tokens, "
              + effect.millis() / 1000
              + " s.");
    }
    return lines;
  }

  /** The findings as SARIF 2.1.0. Findings that do not count are suppressed, with the reason. */
  public static Json sarif(ConsensusResult result) {
    List<Json> results = new ArrayList<>();
    for (ReviewFinding finding : result.findings()) {
      results.add(sarif(finding));
    }
    Json driver =
        Json.object()
            .put("name", "parley consensus")
            .put("informationUri", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/")
            .put("rules", Json.of(List.of()))
            .build();
    Json run =
        Json.object()
            .put("tool", Json.object().put("driver", driver).build())
            .put("results", Json.of(results))
            .build();
    return Json.object()
        .put("version", "2.1.0")
        .put("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
        .put("runs", Json.of(List.of(run)))
        .build();
  }

  private static Json sarif(ReviewFinding finding) {
    Json.ObjectBuilder one =
        Json.object()
            .put("ruleId", finding.severity().word())
            .put(
                "level",
                switch (finding.severity()) {
                  case CRITICAL -> "error";
                  case IMPORTANT -> "warning";
                  case SUGGESTION -> "note";
                })
            .put("message", Json.object().put("text", finding.text()).build());
    if (!finding.file().isEmpty()) {
      Json.ObjectBuilder place =
          Json.object().put("artifactLocation", Json.object().put("uri", finding.file()).build());
      if (finding.line() > 0) {
        place.put("region", Json.object().put("startLine", finding.line()).build());
      }
      one.put(
          "locations",
          Json.of(List.of(Json.object().put("physicalLocation", place.build()).build())));
    }
    if (!finding.counts()) {
      one.put(
          "suppressions",
          Json.of(
              List.of(
                  Json.object()
                      .put("kind", "external")
                      .put("justification", finding.withdrawn() ? "withdrawn" : "contested")
                      .build())));
    }
    return one.build();
  }
}
