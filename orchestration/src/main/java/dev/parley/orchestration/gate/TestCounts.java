package dev.parley.orchestration.gate;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How many tests ran and failed, from a test runner's usual summary. */
public record TestCounts(int run, int failed) {
  private static final Pattern MAVEN =
      Pattern.compile("Tests run: (\\d{1,9}), Failures: (\\d{1,9}), Errors: (\\d{1,9})");
  private static final Pattern CARGO = Pattern.compile("(\\d{1,9}) passed; (\\d{1,9}) failed");
  private static final Pattern PASSED = Pattern.compile("\\b(\\d{1,9}) (?:passed|passing)\\b");
  private static final Pattern FAILED = Pattern.compile("\\b(\\d{1,9}) (?:failed|failing)\\b");
  private static final Pattern NODE =
      Pattern.compile("^. pass (\\d{1,9})$\\s^. fail (\\d{1,9})$", Pattern.MULTILINE);

  /** The counts in an output; null if it has no summary. */
  public static @Nullable TestCounts in(String output) {
    TestCounts maven = last(MAVEN, output);
    if (maven != null) {
      return maven;
    }
    Matcher cargo = CARGO.matcher(output);
    int run = 0;
    int failed = 0;
    boolean found = false;
    while (cargo.find()) { // one summary for each crate
      found = true;
      run += number(cargo, 1) + number(cargo, 2);
      failed += number(cargo, 2);
    }
    if (found) {
      return new TestCounts(run, failed);
    }
    Matcher node = NODE.matcher(output);
    if (node.find()) {
      return new TestCounts(number(node, 1) + number(node, 2), number(node, 2));
    }
    List<String> lines = output.lines().toList();
    for (String line : lines.reversed()) {
      Matcher passed = PASSED.matcher(line);
      Matcher bad = FAILED.matcher(line);
      int good = passed.find() ? number(passed, 1) : -1;
      int wrong = bad.find() ? number(bad, 1) : -1;
      if (good >= 0 || wrong >= 0) {
        return new TestCounts(Math.max(good, 0) + Math.max(wrong, 0), Math.max(wrong, 0));
      }
    }
    return null;
  }

  private static @Nullable TestCounts last(Pattern pattern, String output) {
    Matcher matcher = pattern.matcher(output);
    TestCounts counts = null;
    while (matcher.find()) {
      counts = new TestCounts(number(matcher, 1), number(matcher, 2) + number(matcher, 3));
    }
    return counts;
  }

  private static int number(Matcher matcher, int group) {
    return Integer.parseInt(matcher.group(group));
  }
}
