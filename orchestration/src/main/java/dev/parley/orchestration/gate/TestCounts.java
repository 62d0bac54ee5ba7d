package dev.parley.orchestration.gate;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How many tests ran and failed, from a test runner's usual summary. */
public record TestCounts(int run, int failed) {
  /** The first that fits an output counts. */
  private static final List<Format> FORMATS =
      List.of(
          // Maven: a line for each module; without it, a line for each class
          Format.all(
              "Tests run: (\\d{1,9}),.*, Skipped: \\d+ *$",
              "Failures: (\\d{1,9}), Errors: (\\d{1,9}), Skipped: \\d+ *$"),
          Format.all("Tests run: (\\d{1,9})\\b", "Failures: (\\d{1,9}), Errors: (\\d{1,9})"),
          // Gradle
          Format.all("\\b(\\d{1,9}) tests? completed\\b", "completed, (\\d{1,9}) failed"),
          // Cargo: a line for each crate
          Format.good("\\b(\\d{1,9}) passed; \\d+ failed", "\\d passed; (\\d{1,9}) failed"),
          // go test -v: a line for each test
          Format.good("^ *--- PASS: ", "^ *--- FAIL: "),
          // node --test
          Format.good("^. pass (\\d{1,9})$", "^. fail (\\d{1,9})$"),
          // Mocha
          Format.good("^ *(\\d{1,9}) passing\\b", "^ *(\\d{1,9}) failing\\b"),
          // unittest
          Format.all("^Ran (\\d{1,9}) tests? in ", "\\b(?:failures|errors)=(\\d{1,9})"));

  private static final Pattern PASSED = Pattern.compile("\\b(\\d{1,9}) passed\\b");
  private static final Pattern FAILED =
      Pattern.compile("\\b(\\d{1,9}) (?:failed\\b|errors? in [\\d.]+s)");

  /**
   * The summary of a test runner. The numbers of all matches are added up; a match without a number
   * counts as one.
   *
   * @param inclusive whether the failed tests are among those of the first pattern
   */
  private record Format(Pattern ran, Pattern failed, boolean inclusive) {
    static Format all(String ran, String failed) {
      return new Format(lines(ran), lines(failed), true);
    }

    static Format good(String passed, String failed) {
      return new Format(lines(passed), lines(failed), false);
    }

    private static Pattern lines(String regex) {
      return Pattern.compile(regex, Pattern.MULTILINE);
    }

    @Nullable TestCounts read(String output) {
      if (!ran.matcher(output).find()) {
        return null;
      }
      int bad = sum(failed, output);
      return new TestCounts(sum(ran, output) + (inclusive ? 0 : bad), bad);
    }
  }

  /** The counts in an output; null if it has no summary. */
  public static @Nullable TestCounts in(String output) {
    for (Format format : FORMATS) {
      TestCounts counts = format.read(output);
      if (counts != null) {
        return counts;
      }
    }
    // pytest, Jest, Vitest: one line, the last that has numbers
    for (String line : output.lines().toList().reversed()) {
      int passed = sum(PASSED, line);
      int failed = sum(FAILED, line);
      if (passed + failed > 0) {
        return new TestCounts(passed + failed, failed);
      }
    }
    return null;
  }

  private static int sum(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    int sum = 0;
    while (matcher.find()) {
      sum += matcher.groupCount() == 0 ? 1 : 0;
      for (int group = 1; group <= matcher.groupCount(); group++) {
        sum += Integer.parseInt(matcher.group(group));
      }
    }
    return sum;
  }
}
