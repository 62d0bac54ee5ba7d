package dev.parley.coordination.board;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an elector thinks of a proposal before the others are heard.
 *
 * @param score 1 to 10
 */
public record Assessment(
    Opinion opinion, int score, List<String> concerns, List<String> recommendations) {

  /** How many concerns, recommendations or conditions one elector may have. */
  public static final int MOST_ITEMS = 20;

  /** How many characters each of them may have. */
  public static final int LONGEST_ITEM = 1_000;

  private static final int BEST = 10;

  /**
   * Makes sure that it can be given.
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

  /** The assessment in a payload; null if there is none. */
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

  /** The fields of the envelope that gives it. */
  public Json.ObjectBuilder write() {
    return Json.object()
        .put("verdict", opinion.name())
        .put("score", score)
        .put("concerns", Json.ofStrings(concerns))
        .put("recommendations", Json.ofStrings(recommendations));
  }
}
