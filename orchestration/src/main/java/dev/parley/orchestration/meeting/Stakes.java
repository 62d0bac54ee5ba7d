package dev.parley.orchestration.meeting;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * How much depends on a proposal. With high stakes a whole meeting is held, else one quick round.
 * Judged by words, so that everyone can tell why: a proposal that has one of them has high stakes.
 */
public final class Stakes {
  /** The words unless others are set: production, security, data migration, broken interfaces. */
  public static final List<String> WORDS =
      List.of(
          "production",
          "deploy",
          "rollout",
          "security",
          "authentication",
          "authorization",
          "credential",
          "secret",
          "encryption",
          "migration",
          "migrate",
          "drop table",
          "delete data",
          "breaking",
          "public api",
          "incompatible");

  private Stakes() {}

  /** Whether a text has one of the words, at the beginning of a word of its own. */
  public static boolean areHigh(String text, List<String> words) {
    String lower = text.toLowerCase(Locale.ROOT);
    return words.stream()
        .map(word -> Pattern.compile("\\b" + Pattern.quote(word.toLowerCase(Locale.ROOT))))
        .anyMatch(word -> word.matcher(lower).find());
  }
}
