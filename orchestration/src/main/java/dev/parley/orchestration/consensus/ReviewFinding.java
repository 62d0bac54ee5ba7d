package dev.parley.orchestration.consensus;

import dev.parley.core.json.Json;
import java.util.ArrayList;
import java.util.List;

/**
 * A defect of a change, according to at least one agent. A finding is never dropped, even if it is
 * contested.
 *
 * @param id F1, F2, … in order
 * @param file as the agent wrote it: data, never opened
 * @param line 0 if none was named
 * @param foundBy agents
 * @param agreedBy agents that did not find it and agree
 * @param contestedBy agents, with their reasons in {@code reasons}
 * @param withdrawn whether every agent that found it has withdrawn it
 * @param round 0 for an analysis, else the round of the debate
 */
public record ReviewFinding(
    String id,
    Severity severity,
    String file,
    int line,
    String text,
    List<String> foundBy,
    List<String> agreedBy,
    List<String> contestedBy,
    List<String> reasons,
    boolean withdrawn,
    int round) {
  public ReviewFinding {
    foundBy = List.copyOf(foundBy);
    agreedBy = List.copyOf(agreedBy);
    contestedBy = List.copyOf(contestedBy);
    reasons = List.copyOf(reasons);
  }

  static ReviewFinding of(
      String id, Severity severity, String file, int line, String text, String agent, int round) {
    return new ReviewFinding(
        id,
        severity,
        file,
        line,
        text,
        List.of(agent),
        List.of(),
        List.of(),
        List.of(),
        false,
        round);
  }

  /**
   * Whether it counts for the verdict: not withdrawn, and not contested by more agents than support
   * it.
   */
  public boolean counts() {
    return !withdrawn && contestedBy.size() <= foundBy.size() + agreedBy.size();
  }

  public String place() {
    return line == 0 ? file : file + ":" + line;
  }

  private ReviewFinding with(
      Severity severity,
      List<String> foundBy,
      List<String> agreedBy,
      List<String> contestedBy,
      List<String> reasons,
      boolean withdrawn) {
    return new ReviewFinding(
        id, severity, file, line, text, foundBy, agreedBy, contestedBy, reasons, withdrawn, round);
  }

  private static List<String> plus(List<String> agents, String agent) {
    if (agents.contains(agent)) {
      return agents;
    }
    List<String> all = new ArrayList<>(agents);
    all.add(agent);
    return all;
  }

  private static List<String> minus(List<String> agents, String agent) {
    return agents.stream().filter(each -> !each.equals(agent)).toList();
  }

  /** Finding it again ends the agent's contest, and a withdrawal by all who found it before. */
  ReviewFinding foundAlsoBy(String agent, Severity also) {
    Severity worst = also.reaches(severity) ? also : severity;
    List<String> finders = withdrawn ? List.of(agent) : plus(foundBy, agent);
    return with(worst, finders, minus(agreedBy, agent), minus(contestedBy, agent), reasons, false);
  }

  /** An agent's last word counts: agreeing ends its contest. */
  ReviewFinding agreed(String agent) {
    return foundBy.contains(agent)
        ? this
        : with(
            severity,
            foundBy,
            plus(agreedBy, agent),
            minus(contestedBy, agent),
            reasons,
            withdrawn);
  }

  ReviewFinding contested(String agent, String why) {
    return foundBy.contains(agent) || contestedBy.contains(agent)
        ? this
        : with(
            severity,
            foundBy,
            minus(agreedBy, agent),
            plus(contestedBy, agent),
            plus(reasons, why),
            withdrawn);
  }

  ReviewFinding withdrawnBy(String agent) {
    if (!foundBy.contains(agent)) {
      return this;
    }
    List<String> left = minus(foundBy, agent);
    return left.isEmpty()
        ? with(severity, foundBy, agreedBy, contestedBy, reasons, true)
        : with(severity, left, agreedBy, contestedBy, reasons, withdrawn);
  }

  public Json toJson() {
    return Json.object()
        .put("id", id)
        .put("severity", severity.word())
        .put("file", file)
        .put("line", line)
        .put("text", text)
        .put("foundBy", Json.ofStrings(foundBy))
        .put("agreedBy", Json.ofStrings(agreedBy))
        .put("contestedBy", Json.ofStrings(contestedBy))
        .put("reasons", Json.ofStrings(reasons))
        .put("withdrawn", withdrawn)
        .put("counts", counts())
        .build();
  }
}
