package dev.parley.cli.runners;

import dev.parley.cli.terminal.Printable;
import dev.parley.orchestration.ask.RunLimits;
import dev.parley.orchestration.moderate.ModeratePrompts;
import dev.parley.orchestration.moderate.ModerateSettings;
import dev.parley.orchestration.moderate.ProjectRecord;
import dev.parley.orchestration.moderate.ProjectReport;
import dev.parley.orchestration.moderate.TaskProgress;
import dev.parley.orchestration.moderate.answer.ProjectTask;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** Prints moderated projects. */
final class ModerateText {
  private ModerateText() {}

  private static String plain(String text) {
    return Printable.text(text);
  }

  /** The tasks, as shown for confirmation. */
  static List<String> tasks(List<ProjectTask> tasks) {
    List<String> lines = new ArrayList<>();
    lines.add(tasks.size() + (tasks.size() == 1 ? " task:" : " tasks:"));
    for (int i = 0; i < tasks.size(); i++) {
      ProjectTask task = tasks.get(i);
      lines.add("  " + (i + 1) + ". " + plain(task.title()) + " (" + hours(task) + task.id() + ")");
      task.criteria().forEach(criterion -> lines.add("     - " + plain(criterion)));
    }
    return lines;
  }

  private static String hours(ProjectTask task) {
    return task.hours().signum() == 0 ? "" : task.hours().toPlainString() + " h, ";
  }

  static List<String> status(ProjectRecord record, String state) {
    List<String> lines = new ArrayList<>();
    String phase = record.phase().word();
    lines.add(
        "project "
            + record.project()
            + " on "
            + plain(record.branch())
            + ": "
            + phase
            + (state.equals(phase) || state.equals("complete") ? "" : " (" + state + ")"));
    for (TaskProgress task : record.tasks()) {
      lines.add("  " + line(task));
    }
    TaskProgress improvement = record.improvement();
    if (improvement != null) {
      lines.add("  " + line(improvement));
    }
    return lines;
  }

  private static String line(TaskProgress task) {
    StringBuilder line = new StringBuilder();
    line.append(String.format("%-9s", task.state().word()));
    line.append(' ').append(task.task().id()).append("  ").append(plain(task.task().title()));
    TaskProgress.PullRequest request = task.request();
    if (request != null) {
      line.append("  PR #").append(request.number());
      line.append(" (iter ").append(task.iteration()).append(')');
    }
    if (task.score() >= 0) {
      line.append("  score ").append(task.score());
    }
    if (!task.why().isEmpty()) {
      line.append(": ").append(plain(task.why()));
    }
    return line.toString();
  }

  static List<String> report(ProjectReport report) {
    ProjectRecord record = report.record();
    List<String> lines = new ArrayList<>(status(record, record.phase().word()));
    report.remarks().forEach(text -> lines.add("note: " + plain(text)));
    lines.add("Tasks completed " + report.completed() + "/" + record.tasks().size());
    String forwarded = report.forwarded();
    if (forwarded != null) {
      lines.add(plain(record.branch()) + " is now " + forwarded);
    } else if (report.completed() > 0) {
      lines.add("What was approved is on the branch " + record.approvedBranch());
    }
    if (report.ok()) {
      lines.add("Messages: parley flow --project " + record.project());
    } else {
      lines.add("To continue: parley moderate --resume " + record.project());
    }
    lines.add("State: " + plain(report.state()));
    return lines;
  }

  /** The planned asks, their agents, and the limits. */
  static List<String> plan(String requirements, ModerateSettings settings, RunLimits limits) {
    List<String> lines = new ArrayList<>();
    lines.add("Nothing is done.");
    ModeratePrompts.forms(requirements, settings)
        .forEach((stage, prompt) -> {
          lines.add("");
          lines.add("=== " + stage);
          prompt.lines().forEach(line -> lines.add(plain(line)));
        });
    lines.add("");
    lines.add(
        "At most "
            + settings.tasks()
            + " tasks, each submitted at most "
            + settings.reviews()
            + " times"
            + (settings.improve() ? ", and one improvement." : "."));
    lines.add(
        "At most "
            + Math.min(settings.mostAsks(), limits.asks())
            + " asks, "
            + limits.run().toMinutes()
            + " minutes, and $"
            + BigDecimal.valueOf(limits.costMicros(), 6).stripTrailingZeros().toPlainString()
            + " if agents report their cost.");
    return lines;
  }
}
