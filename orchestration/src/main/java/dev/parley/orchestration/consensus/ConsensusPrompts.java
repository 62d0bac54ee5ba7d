package dev.parley.orchestration.consensus;

import dev.parley.orchestration.prompt.PromptTemplate;
import dev.parley.orchestration.prompt.QuotedWords;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The prompts of a consensus. Their texts are resources beside this class. */
final class ConsensusPrompts {
  /** How many characters of one answer are shown to others. */
  private static final int MOST_SHOWN = 60_000;

  private static final String GENERAL_POSITION =
      "your conclusion in at most eight words, so plain that whoever agrees would write the same";
  private static final String REVIEW_POSITION = "MERGE, MERGE AFTER FIXES or DO NOT MERGE";

  private final ConsensusPlan plan;
  private final BlindLabels labels;

  ConsensusPrompts(ConsensusPlan plan, BlindLabels labels) {
    this.plan = plan;
    this.labels = labels;
  }

  /** One rebuttal. */
  record Said(String agent, int round, String text) {}

  private static String fill(String name, Map<String, String> values) {
    return PromptTemplate.resource(ConsensusPrompts.class, name).fill(values);
  }

  private boolean isReview() {
    return plan.mode() == Mode.CODE_REVIEW;
  }

  private String position() {
    return isReview() ? REVIEW_POSITION : GENERAL_POSITION;
  }

  String analysis() {
    return fill(
        "analysis.txt",
        Map.of(
            "count", Integer.toString(plan.agents().size()),
            "subject", plan.subject(),
            "sections", fill(isReview() ? "sections-review.txt" : "sections-general.txt", Map.of()),
            "position", position()));
  }

  String debate(
      String reader,
      int round,
      Map<String, String> theses,
      List<Said> earlier,
      List<ReviewFinding> findings) {
    return fill(
        "debate.txt",
        Map.of(
            "round", Integer.toString(round),
            "rounds", Integer.toString(plan.rounds()),
            "count", Integer.toString(theses.size()),
            "self", name(reader),
            "subject", plan.subject(),
            "own", quote(reader, theses.getOrDefault(reader, "")),
            "others",
                labels.others(reader).stream()
                    .filter(theses::containsKey)
                    .map(agent -> quote(agent, theses.getOrDefault(agent, "")))
                    .collect(Collectors.joining("\n\n")),
            "before", numbered(findings) + earlier(reader, earlier),
            "marks", isReview() ? fill("marks-review.txt", Map.of()) : "",
            "position", position()));
  }

  private String earlier(String reader, List<Said> earlier) {
    if (earlier.isEmpty()) {
      return "";
    }
    StringBuilder text = new StringBuilder("## What was said in the rounds before\n\n");
    List<String> order = new ArrayList<>(labels.others(reader));
    order.add(reader);
    for (String agent : order) {
      for (Said said : earlier) {
        if (said.agent.equals(agent)) {
          text.append(quote(agent, said.text)).append("\n\n");
        }
      }
    }
    return text.toString();
  }

  private String numbered(List<ReviewFinding> findings) {
    if (!isReview() || findings.isEmpty()) {
      return "";
    }
    String lines =
        findings.stream()
            .map(finding ->
                finding.id()
                    + " ("
                    + finding.severity().word()
                    + ", found by "
                    + finding.foundBy().stream().map(labels::of).collect(Collectors.joining(", "))
                    + ") "
                    + finding.place()
                    + " "
                    + finding.text())
            .collect(Collectors.joining("\n"));
    return "## The findings so far\n\n" + QuotedWords.quote("all agents", lines) + "\n\n";
  }

  /** The changed positions, which a chairman is to weigh above all. */
  private String changes(Positions positions) {
    List<String> changed = positions.changed();
    if (changed.isEmpty()) {
      return "";
    }
    String lines =
        labels.others("").stream()
            .filter(changed::contains)
            .map(agent -> labels.of(agent) + ": " + positions.change(agent))
            .collect(Collectors.joining("\n"));
    return "## Changed positions\n\n" + QuotedWords.quote("all agents", lines) + "\n\n";
  }

  String chairman(
      Map<String, String> analyses,
      List<Said> rebuttals,
      List<ReviewFinding> findings,
      Positions positions) {
    String debated = rebuttals.isEmpty() ? "" : " and debated it";
    StringBuilder said = new StringBuilder();
    if (!rebuttals.isEmpty()) {
      said.append("## Rebuttals\n\n");
      for (String agent : labels.others("")) {
        for (Said one : rebuttals) {
          if (one.agent.equals(agent)) {
            said.append("Round ").append(one.round).append(":\n");
            said.append(quote(agent, one.text)).append("\n\n");
          }
        }
      }
    }
    return fill(
        "chairman.txt",
        Map.of(
            "count", Integer.toString(plan.agents().size()),
            "answered", Integer.toString(analyses.size()),
            "debated", debated,
            "subject", plan.subject(),
            "analyses",
                labels.others("").stream()
                    .filter(analyses::containsKey)
                    .map(agent -> quote(agent, analyses.getOrDefault(agent, "")))
                    .collect(Collectors.joining("\n\n")),
            "rebuttals", said + changes(positions),
            "findings", numbered(findings),
            "sections",
                fill(
                    isReview() ? "sections-chairman-review.txt" : "sections-chairman-general.txt",
                    Map.of()),
            "position", position()));
  }

  /** All prompts, with placeholders for answers. */
  List<Consensus.PlannedPrompt> planned() {
    List<Consensus.PlannedPrompt> planned = new ArrayList<>();
    planned.add(new Consensus.PlannedPrompt("analysis", 0, plan.agents(), analysis()));
    Map<String, String> theses = new LinkedHashMap<>();
    Map<String, String> analyses = new LinkedHashMap<>();
    for (String agent : plan.agents()) {
      theses.put(agent, "(the thesis of " + name(agent) + ")");
      analyses.put(agent, "(the analysis of " + name(agent) + ")");
    }
    List<Said> said = new ArrayList<>();
    for (int round = 1; round <= plan.rounds() && plan.agents().size() > 1; round++) {
      for (String agent : plan.agents()) {
        String prompt = debate(agent, round, theses, said, List.of());
        planned.add(new Consensus.PlannedPrompt("debate", round, List.of(agent), prompt));
      }
      for (String agent : plan.agents()) {
        said.add(new Said(agent, round, "(the rebuttal of " + name(agent) + ")"));
      }
    }
    String prompt = chairman(analyses, said, List.of(), Positions.of(Map.of(), List.of()));
    planned.add(new Consensus.PlannedPrompt("synthesis", 0, plan.agents(), prompt));
    return planned;
  }

  private String name(String agent) {
    return plan.named() ? labels.of(agent) : "agent " + labels.of(agent);
  }

  /** An agent's own text may still contain its name; that is not hidden. */
  private String quote(String agent, String words) {
    String shown =
        words.length() <= MOST_SHOWN
            ? words
            : words.substring(0, MOST_SHOWN)
                + "\n(cut: "
                + (words.length() - MOST_SHOWN)
                + " more characters are not shown)";
    return QuotedWords.quote(name(agent), shown);
  }
}
