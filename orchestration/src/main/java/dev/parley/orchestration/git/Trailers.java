package dev.parley.orchestration.git;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The trailers of a commit message that name its run and task. */
public final class Trailers {
  public static final String RUN = "Parley-Run";
  public static final String TASK = "Parley-Task";
  private static final int LONGEST_SUBJECT = 72;

  private Trailers() {}

  /** A message with one line of subject, and the trailers. */
  public static String message(String subject, String run, String task) {
    String line = subject.strip().replaceAll("[\\s\\p{Cntrl}]+", " ");
    String cut =
        line.length() <= LONGEST_SUBJECT ? line : line.substring(0, LONGEST_SUBJECT - 1) + "…";
    return cut + "\n\n" + RUN + ": " + run + "\n" + TASK + ": " + task + "\n";
  }

  /** A run's commits after a base, by task; the oldest of each task. */
  public static Map<String, String> commits(Git git, String base, String tip, String run) {
    List<String> lines =
        git.lines(
            "log",
            "--reverse",
            "--format=%H %(trailers:key="
                + RUN
                + ",valueonly,separator=%x2C) %(trailers:key="
                + TASK
                + ",valueonly,separator=%x2C)",
            base + ".." + tip);
    Map<String, String> commits = new LinkedHashMap<>();
    for (String line : lines) {
      String[] words = line.split(" ", -1);
      if (words.length == 3 && words[1].equals(run)) {
        commits.putIfAbsent(words[2], words[0]);
      }
    }
    return commits;
  }
}
