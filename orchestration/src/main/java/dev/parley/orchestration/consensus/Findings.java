package dev.parley.orchestration.consensus;

import java.util.ArrayList;
import java.util.HashSet;
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
 * its headings.
 */
final class Findings {
  private static final int MOST_OF_ONE = 200;
  private static final int NEAR = 3;
  private static final Pattern PLACE = Pattern.compile("([\\w./@+-]+\\.\\w+)(?::(\\d{1,7}))?");
  private static final Pattern ID = Pattern.compile("(?i)\\b(F[0-9]{1,4})\\b[\\s|:,-]*(.*)");
  private static final Map<String, Severity> HEADINGS =
      Map.of(
          "critical issues", Severity.CRITICAL,
          "important issues", Severity.IMPORTANT,
          "suggestions", Severity.SUGGESTION);

  private final List<ReviewFinding> all = new ArrayList<>();

  List<ReviewFinding> all() {
    return List.copyOf(all);
  }

  /** Collects the findings of an analysis. */
  void analysis(String agent, String text) {
    List<String> lines = Marks.all(text, "FINDING");
    if (lines.isEmpty()) {
      listed(agent, text);
    } else {
      lines.stream().limit(MOST_OF_ONE).forEach(line -> line(agent, line, 0));
    }
  }

  /** Collects an agent's statements about findings in a debate. */
  void rebuttal(String agent, String text, int round) {
    Marks.all(text, "FINDING").stream()
        .limit(MOST_OF_ONE)
        .forEach(line -> line(agent, line, round));
    for (String line : Marks.all(text, "CONTEST")) {
      change(line, (finding, why) -> finding.contested(agent, why));
    }
    for (String line : Marks.all(text, "WITHDRAW")) {
      change(line, (finding, why) -> finding.withdrawnBy(agent));
    }
    for (String line : Marks.all(text, "AGREE")) {
      change(line, (finding, why) -> finding.agreed(agent));
    }
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
    if (severity == null) {
      return;
    }
    Matcher place = PLACE.matcher(parts.length > 1 ? parts[1] : "");
    boolean placed = place.find();
    String text = parts.length > 2 ? parts[2].strip() : parts.length > 1 ? parts[1].strip() : "";
    add(
        agent,
        severity,
        placed ? place.group(1) : "",
        placed && place.group(2) != null ? Integer.parseInt(place.group(2)) : 0,
        text,
        round);
  }

  private void listed(String agent, String text) {
    Severity under = null;
    int taken = 0;
    for (String line : text.lines().toList()) {
      String plain = line.strip();
      if (plain.startsWith("#") || plain.startsWith("**")) {
        under = HEADINGS.get(plain.replaceAll("[#*:]", "").strip().toLowerCase(Locale.ROOT));
      } else if (under != null
          && plain.matches("([-*+]|[0-9]+[.)])\\s+.+")
          && taken < MOST_OF_ONE) {
        String item = plain.replaceFirst("^([-*+]|[0-9]+[.)])\\s+", "");
        if (!item.toLowerCase(Locale.ROOT).replaceAll("[^a-z]", "").equals("none")) {
          Matcher place = PLACE.matcher(item);
          boolean placed = place.find();
          add(
              agent,
              under,
              placed ? place.group(1) : "",
              placed && place.group(2) != null ? Integer.parseInt(place.group(2)) : 0,
              item,
              0);
          taken++;
        }
      }
    }
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
