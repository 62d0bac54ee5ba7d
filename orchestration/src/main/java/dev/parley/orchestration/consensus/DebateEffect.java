package dev.parley.orchestration.consensus;

import dev.parley.core.json.Json;
import dev.parley.orchestration.ask.Usage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a debate changed, as far as it can be known. If a position is missing, the effect is
 * unknown, never guessed.
 *
 * @param conclusion the final position; null if unknown
 * @param asks how many asks the debate took; 0 without a debate
 */
public record DebateEffect(
    Positions positions,
    @Nullable String conclusion,
    int findingsAdded,
    int findingsWithdrawn,
    int asks,
    Usage usage,
    long millis) {

  public String majorityBefore() {
    return Positions.majority(positions.before());
  }

  public String majorityAfter() {
    return Positions.majority(positions.after());
  }

  /** Whether the conclusion is the majority's position before the debate: yes, no or unknown. */
  public String sameAsMajority() {
    String majority = majorityBefore();
    if (majority.equals(Positions.UNKNOWN) || conclusion == null) {
      return Positions.UNKNOWN;
    }
    return !majority.equals(Positions.NONE)
            && MarkerLines.normal(majority).equals(MarkerLines.normal(conclusion))
        ? "yes"
        : "no";
  }

  /** Whether there was a debate. */
  public boolean debated() {
    return asks > 0;
  }

  public Json toJson() {
    List<Json> changes = new ArrayList<>();
    for (String agent : positions.changed()) {
      changes.add(
          Json.object()
              .put("agent", agent)
              .put("from", positions.before().get(agent))
              .put("to", positions.after().get(agent))
              .put("why", positions.reasons().get(agent))
              .build());
    }
    return Json.object()
        .put("debated", debated())
        .put("changed", Json.of(changes))
        .put("positionsKnown", positions.areKnown())
        .put("majorityBefore", majorityBefore())
        .put("majorityAfter", majorityAfter())
        .put("conclusion", conclusion == null ? Positions.UNKNOWN : conclusion)
        .put("sameAsMajority", sameAsMajority())
        .put("findingsAdded", findingsAdded)
        .put("findingsWithdrawn", findingsWithdrawn)
        .put("extraAsks", asks)
        .put("extraTokens", usage.tokens())
        .put("extraMillis", millis)
        .build();
  }
}
