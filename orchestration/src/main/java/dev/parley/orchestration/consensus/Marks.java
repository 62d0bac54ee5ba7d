package dev.parley.orchestration.consensus;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The lines of an answer that programs read: {@code WORD: …}, with any Markdown around it. */
final class Marks {
  private static final int LONGEST = 500;
  private static final int THESIS_SENTENCES = 3;
  private static final Pattern SENTENCE = Pattern.compile("[.!?]+(?=\\s|$)");

  private Marks() {}

  /** The text after the last line that begins with a word; null if there is none. */
  static @Nullable String last(String text, String word) {
    List<String> all = all(text, word);
    return all.isEmpty() ? null : all.getLast();
  }

  static List<String> all(String text, String word) {
    Matcher line =
        Pattern.compile("(?m)^[\\s>*_#-]*" + word + "[*_]*:[*_]*[ \\t]*(.+?)[*_\\s]*$")
            .matcher(text);
    List<String> found = new ArrayList<>();
    while (line.find()) {
      String value = line.group(1).strip();
      found.add(value.length() <= LONGEST ? value : value.substring(0, LONGEST));
    }
    return found;
  }

  /** The stated thesis; without one, the first three sentences. */
  static String thesis(String text) {
    Matcher given =
        Pattern.compile("(?ms)^[\\s>*_#-]*THESIS[*_]*:[*_]*(.+?)(?=^[\\s>*_#-]*POSITION|\\z)")
            .matcher(text);
    if (given.find() && !given.group(1).isBlank()) {
      return cut(given.group(1).strip());
    }
    Matcher end = SENTENCE.matcher(text);
    int to = 0;
    for (int i = 0; i < THESIS_SENTENCES && end.find(); i++) {
      to = end.end();
    }
    return cut((to == 0 ? text : text.substring(0, to)).strip());
  }

  private static String cut(String text) {
    int most = 4 * LONGEST;
    return text.length() <= most ? text : text.substring(0, most) + "…";
  }

  /** A position without case, punctuation and articles, for comparison. */
  static String normal(String position) {
    return position
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N} ]", " ")
        .replaceAll("\\b(the|a|an|we|should|it|is)\\b", " ")
        .replaceAll(" +", " ")
        .strip();
  }
}
