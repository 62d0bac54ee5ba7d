package dev.parley.orchestration.consensus;

import dev.parley.core.ParleyException;
import dev.parley.orchestration.git.Git;
import dev.parley.orchestration.prompt.QuotedWords;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The change under review, as shown to agents. */
public final class ReviewSubject {
  /** How many characters of a diff agents see by default. */
  public static final int MOST_DIFF = 200_000;

  /** How many commits speak for a change that has no description. */
  private static final int MOST_COMMITS = 50;

  /** How many of the files that are not shown are named. */
  private static final int MOST_NAMED = 400;

  private static final List<String> BASES =
      List.of("origin/main", "main", "origin/master", "master");

  private ReviewSubject() {}

  /**
   * The commit where a branch left its main line.
   *
   * @throws ParleyException REFUSED with the names that were tried
   */
  public static String base(Git git, String head) {
    for (String base : BASES) {
      Git.Result found = git.attempt("merge-base", head, base);
      if (found.ok() && !found.line().isEmpty()) {
        return found.line();
      }
    }
    throw ParleyException.refused(
        "no-base",
        "There is nothing to compare with: none of " + String.join(", ", BASES) + " exists.",
        "Name a commit: --base-sha <commit>.");
  }

  /**
   * The commit that a user named.
   *
   * @throws ParleyException INVALID if there is none
   */
  public static String commit(Git git, String option, String name) {
    Git.Result found =
        name.startsWith("-")
            ? new Git.Result(1, "", "")
            : git.attempt("rev-parse", "--verify", "--quiet", name + "^{commit}");
    if (!found.ok()) {
      throw ParleyException.invalid(
          "no-such-commit",
          option + " \"" + name + "\" is not a commit.",
          "git log shows commits.");
    }
    return found.line();
  }

  /** What the commits of a change say about it: their subjects, oldest first. */
  public static String commits(Git git, String base, String head) {
    String range = base + ".." + head;
    List<String> subjects =
        git.run("log", "--format=%s", "--no-merges", "--max-count=" + MOST_COMMITS, range)
            .lines()
            .toList();
    return String.join("\n", subjects.reversed());
  }

  /**
   * The text about the change between two commits.
   *
   * @param mostDiff how many characters of the diff are shown; files beyond that are only named
   * @throws ParleyException REFUSED if there is no change
   */
  public static String text(
      Git git, String base, String head, String description, @Nullable String plan, int mostDiff) {
    String range = base + ".." + head;
    String summary = git.run("diff", "--stat=160", "--stat-count=400", range);
    if (summary.isBlank()) {
      throw ParleyException.refused(
          "empty-diff",
          "There is nothing to review: " + range + " changes no file.",
          "Commit the change, or name other commits with --base-sha and --head-sha.");
    }
    String diff = git.run("diff", "--no-color", "--no-ext-diff", range);
    StringBuilder text = new StringBuilder("## The change\n\n");
    text.append(QuotedWords.quote("the author", description)).append("\n\n");
    text.append("## Files\n\n").append(QuotedWords.quote("git", summary)).append("\n\n");
    if (plan != null) {
      text.append("## Plan\n\n").append(QuotedWords.quote("the plan", plan)).append("\n\n");
    }
    text.append("## Diff\n\n").append(QuotedWords.quote("the diff", shortened(diff, mostDiff)));
    return text.toString();
  }

  /** Whole files while there is room; the others are only named. */
  private static String shortened(String diff, int most) {
    if (diff.length() <= most) {
      return diff;
    }
    StringBuilder kept = new StringBuilder();
    List<String> left = new ArrayList<>();
    for (String file : diff.split("(?m)(?=^diff --git )", -1)) {
      String header = file.lines().findFirst().orElse("").replaceFirst("^diff --git ", "");
      if (kept.length() + file.length() <= most) {
        kept.append(file);
      } else if (!header.isBlank()) {
        left.add(header + " (" + file.lines().count() + " lines)");
      }
    }
    return kept
        + "\nNot shown, because the diff is longer than "
        + most
        + " characters:\n"
        + String.join("\n", left.subList(0, Math.min(left.size(), MOST_NAMED)))
        + (left.size() <= MOST_NAMED ? "" : "\nand " + (left.size() - MOST_NAMED) + " more files");
  }
}
