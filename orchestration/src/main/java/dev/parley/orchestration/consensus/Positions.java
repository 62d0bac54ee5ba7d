package dev.parley.orchestration.consensus;

import dev.parley.orchestration.ask.Answer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The positions of the agents: the texts after {@code POSITION:} in what they said.
 *
 * @param before each agent's position in its analysis; null if it gave none
 * @param after each agent's last position; null if it is unknown
 * @param reasons why an agent changed its position, if it says so
 */
public record Positions(
    Map<String, @Nullable String> before,
    Map<String, @Nullable String> after,
    Map<String, String> reasons) {
  static final String UNKNOWN = "unknown";
  static final String NONE = "none";

  /** The positions in analyses, by agent, and in the rebuttals to them. */
  static Positions of(Map<String, String> analyses, List<ConsensusResult.Rebuttal> rebuttals) {
    Map<String, @Nullable String> before = new LinkedHashMap<>();
    analyses.forEach((agent, text) -> before.put(agent, MarkerLines.last(text, "POSITION")));
    Map<String, @Nullable String> after = new LinkedHashMap<>(before);
    Map<String, String> reasons = new LinkedHashMap<>();
    for (ConsensusResult.Rebuttal one : rebuttals) {
      Answer answer = one.answer();
      // An agent silent in a rebuttal may have changed its mind without saying so.
      after.put(answer.agent(), answer.ok() ? MarkerLines.last(answer.text(), "POSITION") : null);
      String why = answer.ok() ? MarkerLines.last(answer.text(), "CHANGED") : null;
      if (why != null) {
        reasons.put(answer.agent(), why);
      }
    }
    return new Positions(before, after, reasons);
  }

  /** The agents whose position changed, among those with both positions known. */
  public List<String> changed() {
    List<String> changed = new ArrayList<>();
    before.forEach((agent, position) -> {
      String now = after.get(agent);
      if (position != null
          && now != null
          && !MarkerLines.normal(position).equals(MarkerLines.normal(now))) {
        changed.add(agent);
      }
    });
    return changed;
  }

  /** One line about an agent's change. */
  String change(String agent) {
    return shown(before.get(agent))
        + " → "
        + shown(after.get(agent))
        + (reasons.containsKey(agent) ? ": " + reasons.get(agent) : " (no reason given)");
  }

  private static String shown(@Nullable String position) {
    return position == null ? UNKNOWN : position;
  }

  /** Whether the last position of every agent is known. */
  boolean areKnown() {
    return after.values().stream().allMatch(position -> position != null);
  }

  /** The position of more than half of the agents; "none", or "unknown". */
  static String majority(Map<String, @Nullable String> positions) {
    Map<String, Integer> counts = new HashMap<>();
    Map<String, String> shown = new LinkedHashMap<>();
    boolean missing = false;
    for (String position : positions.values()) {
      if (position == null) {
        missing = true;
      } else {
        counts.merge(MarkerLines.normal(position), 1, Integer::sum);
        shown.putIfAbsent(MarkerLines.normal(position), position);
      }
    }
    for (Map.Entry<String, Integer> each : counts.entrySet()) {
      if (2 * each.getValue() > positions.size()) {
        return shown.getOrDefault(each.getKey(), each.getKey());
      }
    }
    return missing || positions.isEmpty() ? UNKNOWN : NONE;
  }
}
