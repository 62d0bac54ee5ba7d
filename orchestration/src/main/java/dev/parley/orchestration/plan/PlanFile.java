package dev.parley.orchestration.plan;

import dev.parley.coordination.path.PathPattern;
import dev.parley.core.ParleyException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads plans.
 *
 * <pre>
 * ## Task 1: Parse numbers           two or three #
 * What is to be done, in any words.
 * **Files:**                         with or without the asterisks, in any case
 * - Create: `src/numbers.py`         Create, Modify or Test; lines in a file (:10-20) are cut off
 * **Dependencies:** None             or Task 1, Task 2
 * </pre>
 *
 * Text before the first task is ignored. Lines between code fences are plain text.
 */
public final class PlanFile {
  private static final Pattern TASK = Pattern.compile("^#{2,3}\\s+Task\\s+(\\d{1,6}):\\s*(.*)$");
  private static final Pattern LIST = Pattern.compile("^\\*{0,2}(?i:files):.*$");
  private static final Pattern FILE =
      Pattern.compile("^\\s*[-*]\\s+(?i:create|modify|test):\\s*`([^`]+)`.*$");
  private static final Pattern AFTER = Pattern.compile("^\\*{0,2}(?i:dependencies):(.*)$");
  private static final Pattern NAMED = Pattern.compile("(?i:task)\\s+(\\d{1,6})");
  private static final Pattern RANGE = Pattern.compile(":\\d.*$");
  private static final int MOST_TASKS = 1_000;

  private final List<PlannedTask> tasks = new ArrayList<>();
  private final List<PlanProblem> problems = new ArrayList<>();
  private final Map<Integer, Integer> afterLines = new HashMap<>();

  private PlanFile() {}

  /**
   * The tasks of a plan, in order.
   *
   * @throws ParleyException INVALID with all errors
   */
  public static List<PlannedTask> read(String text) {
    PlanFile plan = new PlanFile();
    plan.parse(text.lines().toList());
    plan.check();
    if (!plan.problems.isEmpty()) {
      plan.problems.sort(Comparator.comparingInt(PlanProblem::line));
      throw ParleyException.invalid(
          "bad-plan",
          "The plan can't be carried out: "
              + plan.problems.stream().map(PlanProblem::toString).collect(Collectors.joining("; "))
              + ".",
          "Correct these lines; parley waves --dry-run checks a plan without doing anything.");
    }
    return List.copyOf(plan.tasks);
  }

  private void parse(List<String> lines) {
    Draft open = null;
    String fence = null;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      fence = fence(fence, line);
      Matcher head = TASK.matcher(line);
      if (fence == null && head.matches()) {
        keep(open);
        open = new Draft(Integer.parseInt(head.group(1)), head.group(2).strip(), i + 1);
      }
      if (open != null) {
        open.take(line, i + 1, fence != null);
      }
    }
    keep(open);
  }

  private static @Nullable String fence(@Nullable String open, String line) {
    String text = line.stripLeading();
    if (open == null) {
      return text.startsWith("```") ? "```" : text.startsWith("~~~") ? "~~~" : null;
    }
    return text.startsWith(open) ? null : open;
  }

  private void keep(@Nullable Draft draft) {
    if (draft != null) {
      tasks.add(draft.task());
      afterLines.put(draft.line, draft.afterLine);
    }
  }

  /** A task whose lines are being read. */
  private final class Draft {
    private final int number;
    private final String title;
    private final int line;
    private final StringBuilder body = new StringBuilder();
    private final List<String> files = new ArrayList<>();
    private final List<Integer> after = new ArrayList<>();
    private boolean inFiles;
    private int afterLine;

    Draft(int number, String title, int line) {
      this.number = number;
      this.title = title;
      this.line = line;
      this.afterLine = line;
    }

    void take(String text, int at, boolean fenced) {
      body.append(text).append('\n');
      if (fenced) {
        inFiles = false;
        return;
      }
      Matcher file = FILE.matcher(text);
      Matcher named = AFTER.matcher(text.strip());
      if (LIST.matcher(text.strip()).matches()) {
        inFiles = true;
      } else if (inFiles && file.matches()) {
        file(file.group(1).strip(), at);
      } else if (!text.isBlank()) {
        inFiles = false;
      }
      if (named.matches()) {
        afterLine = at;
        after(named.group(1));
      }
    }

    private void file(String text, int at) {
      String path = RANGE.matcher(text).replaceFirst("");
      try {
        files.add(PathPattern.of(path).toString());
      } catch (ParleyException e) {
        problems.add(new PlanProblem(at, "\"" + path + "\" is not a path in the repository"));
      }
    }

    private void after(String words) {
      if (words.toLowerCase(Locale.ROOT).contains("none")) {
        return;
      }
      Matcher each = NAMED.matcher(words);
      while (each.find()) {
        after.add(Integer.parseInt(each.group(1)));
      }
    }

    PlannedTask task() {
      return new PlannedTask(
          number,
          title,
          body.toString().strip(),
          files.stream().distinct().toList(),
          after.stream().distinct().toList(),
          line);
    }
  }

  private void check() {
    if (tasks.isEmpty()) {
      problems.add(new PlanProblem(1, "there is no task; one begins with ## Task 1: title"));
    }
    if (tasks.size() > MOST_TASKS) {
      problems.add(new PlanProblem(1, "there are more than " + MOST_TASKS + " tasks"));
      return;
    }
    Map<Integer, PlannedTask> byNumber = new LinkedHashMap<>();
    for (PlannedTask task : tasks) {
      PlannedTask before = byNumber.putIfAbsent(task.number(), task);
      if (before != null) {
        String what = "task " + task.number() + " is there already, on line " + before.line();
        problems.add(new PlanProblem(task.line(), what));
      }
      if (task.title().isEmpty()) {
        problems.add(new PlanProblem(task.line(), "task " + task.number() + " has no title"));
      }
    }
    for (PlannedTask task : tasks) {
      for (int other : task.after()) {
        if (!byNumber.containsKey(other)) {
          String what =
              "task " + task.number() + " depends on task " + other + ", which is not there";
          problems.add(new PlanProblem(afterLines.getOrDefault(task.line(), task.line()), what));
        }
      }
    }
    List<PlannedTask> once = List.copyOf(byNumber.values());
    for (List<Integer> cycle : Waves.cycles(once)) {
      PlannedTask first =
          once.stream().filter(t -> cycle.contains(t.number())).findFirst().orElseThrow();
      String members = cycle.stream().map(n -> "task " + n).collect(Collectors.joining(", "));
      problems.add(
          new PlanProblem(
              afterLines.getOrDefault(first.line(), first.line()),
              "these wait for each other, by dependencies or files: " + members));
    }
  }
}
