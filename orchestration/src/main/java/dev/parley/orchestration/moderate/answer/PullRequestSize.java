package dev.parley.orchestration.moderate.answer;

import dev.parley.orchestration.git.Git;
import java.util.ArrayList;
import java.util.List;

/**
 * What a pull request changes, as git says it.
 *
 * @param files all paths, at most {@value #MOST_FILES}
 * @param omitted how many paths were left out
 */
public record PullRequestSize(
    List<String> files, int omitted, int added, int modified, long linesAdded, long linesDeleted) {
  public static final int MOST_FILES = 1_000;
  private static final int MOST_CHARACTERS = 100_000;

  public static PullRequestSize of(Git git, String base, String head) {
    List<String> files = new ArrayList<>();
    int added = 0;
    int modified = 0;
    int all = 0;
    int characters = 0;
    String[] words =
        git.run("diff", "--name-status", "--no-renames", "-z", base, head).split("\0", -1);
    for (int i = 0; i + 1 < words.length; i += 2) {
      all++;
      added += words[i].equals("A") ? 1 : 0;
      modified += words[i].equals("M") || words[i].equals("T") ? 1 : 0;
      characters += words[i + 1].length();
      if (files.size() < MOST_FILES && characters < MOST_CHARACTERS) {
        files.add(words[i + 1]);
      }
    }
    long linesAdded = 0;
    long linesDeleted = 0;
    for (String line : git.run("diff", "--numstat", "--no-renames", base, head).lines().toList()) {
      String[] numbers = line.split("\t", 3); // git prints - for binary files
      linesAdded += numbers[0].matches("\\d{1,9}") ? Long.parseLong(numbers[0]) : 0;
      linesDeleted += numbers[1].matches("\\d{1,9}") ? Long.parseLong(numbers[1]) : 0;
    }
    return new PullRequestSize(
        List.copyOf(files), all - files.size(), added, modified, linesAdded, linesDeleted);
  }
}
