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
 * What a debate has changed, as far as it can be known. Positions are what agents wrote behind
 * {@code POSITION:}; where one is missing the effect is unknown, never guessed.
 *
 * @param before the position of each agent in its analysis; null if it gave none
 * @param after its last position
 * @param reasons why it changed, where it says so
 * @param conclusion what the whole came to; null if that is not known
 * @param asks how many asks the debate took; 0 without one
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

  /** The agents whose position is another after the debate, of those of whom both are known. */
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

  /** What more than half of the agents held before; "none", or "unknown" if that is not known. */
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

  /** Whether the majority before the debate concluded the same: yes, no or unknown. */
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
