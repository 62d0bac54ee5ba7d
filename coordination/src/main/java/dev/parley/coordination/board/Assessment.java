package dev.parley.coordination.board;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An elector's opinion of a proposal, given before the discussion.
 *
 * @param score 1 to 10
 */
public record Assessment(
    Opinion opinion, int score, List<String> concerns, List<String> recommendations) {

  /** The most concerns, recommendations or conditions that one elector may state. */
  public static final int MOST_ITEMS = 20;

  /** The most characters that each of them may have. */
  public static final int LONGEST_ITEM = 1_000;

  private static final int BEST = 10;

  /**
   * Checks that the ledger will take this assessment.
   *
   * @throws ParleyException INVALID if not
   */
  public Assessment check() {
    if (score < 1 || score > BEST) {
      throw ParleyException.invalid(
          "bad-score", Json.object().put("score", score).put("best", BEST));
    }
    checkItems("concerns", concerns);
    checkItems("recommendations", recommendations);
    return this;
  }

  static void checkItems(String what, List<String> items) {
    boolean fits =
        items.size() <= MOST_ITEMS
            && items.stream().allMatch(item -> !item.isBlank() && item.length() <= LONGEST_ITEM);
    if (!fits) {
      throw ParleyException.invalid(
          "too-much",
          Json.object().put("what", what).put("most", MOST_ITEMS).put("characters", LONGEST_ITEM));
    }
  }

  /** The assessment in a payload; null if it is not valid. */
  static @Nullable Assessment read(Fields payload) {
    Opinion opinion = payload.choice("verdict", Opinion.values());
    long score = payload.number("score", 0);
    return opinion == null || score < 1 || score > BEST
        ? null
        : new Assessment(
            opinion,
            (int) score,
            payload.texts("concerns", MOST_ITEMS, LONGEST_ITEM),
            payload.texts("recommendations", MOST_ITEMS, LONGEST_ITEM));
  }

  /** The fields of the envelope that gives this assessment. */
  public Json.ObjectBuilder write() {
    return Json.object()
        .put("verdict", opinion.name())
        .put("score", score)
        .put("concerns", Json.ofStrings(concerns))
        .put("recommendations", Json.ofStrings(recommendations));
  }
}
