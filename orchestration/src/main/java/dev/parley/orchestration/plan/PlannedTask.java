package dev.parley.orchestration.plan;

import java.util.List;
import java.util.Locale;

/**
 * A task of a plan.
 *
 * @param body all its lines, including the heading
 * @param files the paths it names
 * @param after the numbers of the tasks that must be done before, as the plan says
 * @param line where it begins, from 1
 */
public record PlannedTask(
    int number, String title, String body, List<String> files, List<Integer> after, int line) {
  private static final int LONGEST_SLUG = 30;

  public PlannedTask {
    files = List.copyOf(files);
    after = List.copyOf(after);
  }

  /** Its name on the bus, in branches and in trailers. */
  public String name() {
    return "task-" + number;
  }

  /** Its title for paths: lower case letters, digits and hyphens. */
  public String slug() {
    String plain = title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    String cut = plain.substring(0, Math.min(plain.length(), LONGEST_SLUG));
    return cut.replaceAll("^-+|-+$", "");
  }

  /** Its name and title, shortened for paths. */
  public String path() {
    return slug().isEmpty() ? name() : name() + "-" + slug();
  }
}
