package dev.parley.coordination.board;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An elector's vote.
 *
 * @param conditions what must be done if the proposal is approved
 * @param reason why; empty if the elector did not say
 */
public record Ballot(Vote vote, Confidence confidence, List<String> conditions, String reason) {
  /**
   * Checks that the ledger will take this ballot.
   *
   * @throws ParleyException INVALID if not
   */
  public Ballot check() {
    Assessment.checkItems("conditions", conditions);
    if (reason.length() > Assessment.LONGEST_ITEM) {
      throw ParleyException.invalid(
          "too-much",
          Json.object().put("what", "reason").put("characters", Assessment.LONGEST_ITEM));
    }
    return this;
  }

  /** The ballot in a payload; null if it is not valid. */
  static @Nullable Ballot read(Fields payload) {
    Vote vote = payload.choice("verdict", Vote.values());
    Confidence confidence =
        payload.json("confidence") == null
            ? Confidence.FULL
            : Confidence.of(payload.json("confidence"));
    String reason = payload.text("reason", Assessment.LONGEST_ITEM);
    return vote == null || confidence == null
        ? null
        : new Ballot(
            vote,
            confidence,
            payload.texts("conditions", Assessment.MOST_ITEMS, Assessment.LONGEST_ITEM),
            reason == null ? "" : reason);
  }

  /** The fields of the envelope that casts this ballot. */
  public Json.ObjectBuilder write() {
    Json.ObjectBuilder json =
        Json.object()
            .put("verdict", vote.name())
            .put("confidence", confidence.toJson())
            .put("conditions", Json.ofStrings(conditions));
    return reason.isEmpty() ? json : json.put("reason", reason);
  }
}
