package dev.parley.orchestration.consensus;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Collects the findings of a code review from the agents' texts.
 *
 * <p>Two findings are the same if they name the same file, lines at most three apart, and share a
 * third of their words. An agent that writes no {@code FINDING:} lines is read by the lists under
 * its headings. A finding whose severity is unclear is important: it must not get lost.
 */
final class Findings {
  /** How many findings of one answer are collected. */
  static final int MOST_OF_ONE = 200;

  private static final int NEAR = 3;
  private static final Pattern PLACE = Pattern.compile("([\\w./@+-]+\\.\\w+)(?::(\\d{1,7}))?");
  private static final Pattern ID = Pattern.compile("(?i)\\b(F[0-9]{1,4})\\b[\\s|:,-]*(.*)");
  private static final Set<String> NOTHING =
      Set.of("", "none", "na", "nothing", "nofindings", "noissues");
  private static final Map<String, Severity> HEADINGS =
      Map.of(
          "critical issues", Severity.CRITICAL,
          "important issues", Severity.IMPORTANT,
          "suggestions", Severity.SUGGESTION);

  private final List<ReviewFinding> all = new ArrayList<>();

  List<ReviewFinding> all() {
    return List.copyOf(all);
  }

  /**
   * Collects the findings of an analysis.
   *
   * @return how many are left out because there are too many
   */
  int analysis(String agent, String text) {
    List<String> lines = MarkerLines.all(text, "FINDING");
    return lines.isEmpty() ? listed(agent, text) : lines(agent, lines, 0);
  }

  /**
   * Collects an agent's statements about findings in a debate.
   *
   * @return how many new findings are left out because there are too many
   */
  int rebuttal(String agent, String text, int round) {
    int left = lines(agent, MarkerLines.all(text, "FINDING"), round);
    for (String line : MarkerLines.all(text, "CONTEST")) {
      change(line, (finding, why) -> finding.contested(agent, why));
    }
    for (String line : MarkerLines.all(text, "WITHDRAW")) {
      change(line, (finding, why) -> finding.withdrawnBy(agent));
    }
    for (String line : MarkerLines.all(text, "AGREE")) {
      change(line, (finding, why) -> finding.agreed(agent));
    }
    return left;
  }

  private int lines(String agent, List<String> lines, int round) {
    lines.stream().limit(MOST_OF_ONE).forEach(line -> line(agent, line, round));
    return Math.max(0, lines.size() - MOST_OF_ONE);
  }

  private interface Change {
    ReviewFinding of(ReviewFinding finding, String why);
  }

  private void change(String line, Change change) {
    Matcher id = ID.matcher(line);
    if (!id.find()) {
      return;
    }
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).id().equalsIgnoreCase(id.group(1))) {
        all.set(i, change.of(all.get(i), id.group(2).strip()));
      }
    }
  }

  private void line(String agent, String line, int round) {
    String[] parts = line.split("\\|", 3);
    Severity severity = Severity.named(parts[0]);
    boolean form = parts.length > 1 && Severity.isWord(parts[1]); // the form itself, repeated
    if (form || isNothing(line)) {
      return;
    }
    Matcher place = PLACE.matcher(parts.length > 2 ? parts[1] : line);
    boolean placed = place.find();
    add(
        agent,
        severity,
        placed ? place.group(1) : "",
        placed && place.group(2) != null ? Integer.parseInt(place.group(2)) : 0,
        parts[parts.length - 1].strip(),
        round);
  }

  private static boolean isNothing(String text) {
    return NOTHING.contains(text.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}]", ""));
  }

  private int listed(String agent, String text) {
    Severity under = null;
    int met = 0;
    for (Iterator<String> lines = text.lines().iterator(); lines.hasNext(); ) {
      String plain = MarkerLines.start(lines.next().strip());
      if (plain.startsWith("#") || plain.startsWith("**")) {
        under = HEADINGS.get(plain.replaceAll("[#*:]", "").strip().toLowerCase(Locale.ROOT));
      } else if (under != null && plain.matches("([-*+]|[0-9]+[.)])\\s+.+")) {
        String item = plain.replaceFirst("^([-*+]|[0-9]+[.)])\\s+", "");
        if (!isNothing(item) && met++ < MOST_OF_ONE) {
          Matcher place = PLACE.matcher(item);
          boolean placed = place.find();
          add(
              agent,
              under,
              placed ? place.group(1) : "",
              placed && place.group(2) != null ? Integer.parseInt(place.group(2)) : 0,
              item,
              0);
        }
      }
    }
    return Math.max(0, met - MOST_OF_ONE);
  }

  private void add(String agent, Severity severity, String file, int line, String text, int round) {
    for (int i = 0; i < all.size(); i++) {
      if (isSame(all.get(i), file, line, text)) {
        all.set(i, all.get(i).foundAlsoBy(agent, severity));
        return;
      }
    }
    all.add(ReviewFinding.of("F" + (all.size() + 1), severity, file, line, text, agent, round));
  }

  private static boolean isSame(ReviewFinding finding, String file, int line, String text) {
    if (!finding.file().equals(file) || Math.abs(finding.line() - line) > NEAR) {
      return false;
    }
    Set<String> mine = words(finding.text());
    Set<String> yours = words(text);
    Set<String> both = new HashSet<>(mine);
    both.retainAll(yours);
    Set<String> either = new HashSet<>(mine);
    either.addAll(yours);
    return either.isEmpty() || both.size() * 3 >= either.size();
  }

  private static Set<String> words(String text) {
    Set<String> words = new HashSet<>();
    for (String word : text.toLowerCase(Locale.ROOT).split("[^\\p{L}\\p{N}]+", -1)) {
      if (word.length() > 2) {
        words.add(word);
      }
    }
    return words;
  }
}
