package dev.parley.orchestration.consensus;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The lines of an answer that programs read: {@code WORD: …}, with any Markdown around it.
 *
 * <p>Answers are scanned by hand, in one pass: a regular expression can take hours for a long
 * answer of blank lines or dots.
 */
final class MarkerLines {
  /** How many characters of a line count. */
  static final int LONGEST = 500;

  private static final int THESIS_SENTENCES = 3;
  private static final int LONGEST_THESIS = 4 * LONGEST;
  private static final String BEFORE_WORD = " \t>*_#-";
  private static final String EMPHASIS = "*_";
  private static final String BEFORE_VALUE = " \t*_";

  private MarkerLines() {}

  /** The text after the last line that begins with a word; null if there is none. */
  static @Nullable String last(String text, String word) {
    List<String> all = all(text, word);
    return all.isEmpty() ? null : all.getLast();
  }

  static List<String> all(String text, String word) {
    List<String> found = new ArrayList<>();
    text.lines()
        .forEach(line -> {
          String value = value(line, word);
          if (value != null && !value.isEmpty()) {
            found.add(start(value));
          }
        });
    return found;
  }

  /** The beginning of a line, up to the length that counts. */
  static String start(String line) {
    return line.length() <= LONGEST ? line : line.substring(0, LONGEST);
  }

  /** The text after {@code WORD:}; null if the line does not begin with that. */
  private static @Nullable String value(String line, String word) {
    int at = skip(line, 0, BEFORE_WORD);
    if (!line.startsWith(word, at)) {
      return null;
    }
    int colon = skip(line, at + word.length(), EMPHASIS);
    if (colon == line.length() || line.charAt(colon) != ':') {
      return null;
    }
    int from = skip(line, colon + 1, BEFORE_VALUE);
    int to = line.length();
    while (to > from
        && (EMPHASIS.indexOf(line.charAt(to - 1)) >= 0
            || Character.isWhitespace(line.charAt(to - 1)))) {
      to--;
    }
    return line.substring(from, to);
  }

  private static int skip(String line, int from, String characters) {
    int at = from;
    while (at < line.length() && characters.indexOf(line.charAt(at)) >= 0) {
      at++;
    }
    return at;
  }

  /** The stated thesis; without one, the first three sentences. */
  static String thesis(String text) {
    Iterator<String> lines = text.lines().iterator();
    while (lines.hasNext()) {
      String first = value(lines.next(), "THESIS");
      if (first != null) {
        String thesis = untilPosition(first, lines);
        return thesis.isEmpty() ? firstSentences(text) : thesis;
      }
    }
    return firstSentences(text);
  }

  private static String untilPosition(String first, Iterator<String> lines) {
    StringBuilder thesis = new StringBuilder(first);
    while (lines.hasNext() && thesis.length() <= LONGEST_THESIS) {
      String line = lines.next();
      if (line.startsWith("POSITION", skip(line, 0, BEFORE_WORD))) {
        break;
      }
      thesis.append('\n').append(line);
    }
    return cut(thesis.toString().strip());
  }

  private static String firstSentences(String text) {
    int to = 0;
    int sentences = 0;
    for (int i = 0; i < text.length() && sentences < THESIS_SENTENCES; i++) {
      boolean stop = ".!?".indexOf(text.charAt(i)) >= 0;
      if (stop && (i + 1 == text.length() || Character.isWhitespace(text.charAt(i + 1)))) {
        to = i + 1;
        sentences++;
      }
    }
    return cut((to == 0 ? text : text.substring(0, to)).strip());
  }

  private static String cut(String text) {
    return text.length() <= LONGEST_THESIS ? text : text.substring(0, LONGEST_THESIS) + "…";
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
