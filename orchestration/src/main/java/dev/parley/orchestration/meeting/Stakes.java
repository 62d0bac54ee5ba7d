package dev.parley.orchestration.meeting;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * How much depends on a proposal. High stakes get a full meeting, others one quick round. The
 * stakes are high if the proposal has one of some words, so that everyone can see why.
 */
public final class Stakes {
  /** The default words: production, security, data migration, broken interfaces. */
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

  /** Whether one of the words begins a word of the text. */
  public static boolean areHigh(String text, List<String> words) {
    String lower = text.toLowerCase(Locale.ROOT);
    return words.stream()
        .map(word -> Pattern.compile("\\b" + Pattern.quote(word.toLowerCase(Locale.ROOT))))
        .anyMatch(word -> word.matcher(lower).find());
  }
}
