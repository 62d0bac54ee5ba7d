package dev.parley.orchestration.consensus;

import dev.parley.core.json.Json;
import dev.parley.orchestration.ask.Usage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a debate changed, as far as it can be known. Positions are the texts after {@code
 * POSITION:}; if one is missing, the effect is unknown, never guessed.
 *
 * @param before each agent's position in its analysis; null if it gave none
 * @param after each agent's last position
 * @param reasons why an agent changed its position, if it says so
 * @param conclusion the final position; null if unknown
 * @param asks how many asks the debate took; 0 without a debate
 */
public record Effect(
    Map<String, @Nullable String> before,
    Map<String, @Nullable String> after,
    Map<String, String> reasons,
    @Nullable String conclusion,
    int findingsAdded,
    int findingsWithdrawn,
    int asks,
    Usage usage,
    long millis) {
  static final String UNKNOWN = "unknown";
  private static final String NONE = "none";

  /** The agents whose position changed, among those with both positions known. */
  public List<String> changed() {
    List<String> changed = new ArrayList<>();
    before.forEach((agent, position) -> {
      String now = after.get(agent);
      if (position != null && now != null && !Marks.normal(position).equals(Marks.normal(now))) {
        changed.add(agent);
      }
    });
    return changed;
  }

  /** The position of more than half of the agents before; "none", or "unknown". */
  public String majorityBefore() {
    return majority(before);
  }

  public String majorityAfter() {
    return majority(after);
  }

  private static String majority(Map<String, @Nullable String> positions) {
    Map<String, Integer> counts = new HashMap<>();
    Map<String, String> shown = new LinkedHashMap<>();
    boolean missing = false;
    for (String position : positions.values()) {
      if (position == null) {
        missing = true;
      } else {
        counts.merge(Marks.normal(position), 1, Integer::sum);
        shown.putIfAbsent(Marks.normal(position), position);
      }
    }
    for (Map.Entry<String, Integer> each : counts.entrySet()) {
      if (2 * each.getValue() > positions.size()) {
        return shown.getOrDefault(each.getKey(), each.getKey());
      }
    }
    return missing || positions.isEmpty() ? UNKNOWN : NONE;
  }

  /** Whether the conclusion is the majority's position before the debate: yes, no or unknown. */
  public String sameAsMajority() {
    String majority = majorityBefore();
    if (majority.equals(UNKNOWN) || conclusion == null) {
      return UNKNOWN;
    }
    return !majority.equals(NONE) && Marks.normal(majority).equals(Marks.normal(conclusion))
        ? "yes"
        : "no";
  }

  /** Whether there was a debate. */
  public boolean debated() {
    return asks > 0;
  }

  public Json toJson() {
    List<Json> changes = new ArrayList<>();
    for (String agent : changed()) {
      changes.add(
          Json.object()
              .put("agent", agent)
              .put("from", before.get(agent))
              .put("to", after.get(agent))
              .put("why", reasons.get(agent))
              .build());
    }
    return Json.object()
        .put("debated", debated())
        .put("changed", Json.of(changes))
        .put("positionsKnown", after.values().stream().allMatch(position -> position != null))
        .put("majorityBefore", majorityBefore())
        .put("majorityAfter", majorityAfter())
        .put("conclusion", conclusion == null ? UNKNOWN : conclusion)
        .put("sameAsMajority", sameAsMajority())
        .put("findingsAdded", findingsAdded)
        .put("findingsWithdrawn", findingsWithdrawn)
        .put("extraAsks", asks)
        .put("extraTokens", usage.tokens())
        .put("extraMillis", millis)
        .build();
  }
}
