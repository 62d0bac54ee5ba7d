package dev.parley.cli.runners;

import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Table;
import dev.parley.orchestration.plan.PlannedTask;
import dev.parley.orchestration.plan.Waves;
import dev.parley.orchestration.wave.TaskStatus;
import dev.parley.orchestration.wave.WaveRecord;
import dev.parley.orchestration.wave.WaveReport;
import dev.parley.orchestration.wave.WaveTaskProgress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/** Prints waves. */
final class WaveText {
  private WaveText() {}

  static String plain(String text) {
    return Printable.text(text);
  }

  /** The files that several tasks name, alone or in a folder or pattern. */
  static List<String> shared(List<PlannedTask> tasks) {
    TreeMap<String, List<String>> users = new TreeMap<>();
    for (PlannedTask task : tasks) {
      for (String file : task.files()) {
        users.computeIfAbsent(file, name -> new ArrayList<>()).add("task " + task.number());
      }
    }
    List<String> lines = new ArrayList<>();
    users.forEach((file, named) -> {
      if (named.size() > 1) {
        lines.add("  " + plain(file) + " is named by " + String.join(", ", named));
      }
      users.tailMap(file, false).entrySet().stream()
          .filter(other -> Waves.meet(file, other.getKey()) && !named.equals(other.getValue()))
          .map(other ->
              "  %s of %s has files in common with %s of %s"
                  .formatted(
                      plain(file),
                      String.join(", ", named),
                      plain(other.getKey()),
                      String.join(", ", other.getValue())))
          .forEach(lines::add);
    });
    return lines;
  }

  /** The state of each task, by waves, in lines up to the width. */
  static List<String> status(WaveRecord record, String state, Instant now, int width) {
    List<String> lines = new ArrayList<>();
    lines.add("run " + record.run() + " on " + plain(record.branch()) + ": " + state);
    Table table = new Table();
    table.row("WAVE", "STATE", "AGENT", "ITER", "GATE", "TIME", "TOKENS", "TASK");
    for (TaskStatus status : record.tasks()) {
      PlannedTask task = record.planned(status.number());
      WaveTaskProgress progress = record.progress(task);
      table.row(
          Integer.toString(status.wave() + 1),
          status.state().word(),
          plain(progress.agent()),
          progress.iteration() == 0 ? "" : Integer.toString(progress.iteration()),
          plain(progress.stage().isEmpty() ? progress.gate() : progress.stage() + " …"),
          time(progress.time(now)),
          progress.usage().tokens() < 0
              ? ""
              : String.format(Locale.ROOT, "%,d", progress.usage().tokens()),
          "Task " + status.number() + ": " + plain(task.title()) + more(status));
    }
    lines.addAll(table.headed(width));
    if (!state.equals("running") && !state.equals("complete")) {
      lines.add("To continue: parley waves --resume " + record.run());
    }
    return lines;
  }

  private static String time(Duration time) {
    long seconds = time.toSeconds();
    return time.isZero()
        ? ""
        : seconds < 60 ? seconds + "s" : seconds / 60 + "m" + seconds % 60 + "s";
  }

  private static String times(int count) {
    return count == 1 ? "once" : count + " times";
  }

  /** How often it was run again, and what is in its way. */
  private static String more(TaskStatus status) {
    String again = status.reruns() > 0 ? ", run again " + times(status.reruns()) : "";
    return again + (status.why().isEmpty() ? "" : ": " + plain(status.why()));
  }

  private static String line(WaveRecord record, TaskStatus status) {
    return String.format(Locale.ROOT, "%-8s", status.state().word())
        + " Task "
        + status.number()
        + ": "
        + plain(record.planned(status.number()).title())
        + more(status);
  }

  static List<String> report(WaveReport report) {
    List<String> lines = new ArrayList<>();
    WaveRecord record = report.record();
    for (TaskStatus status : record.tasks()) {
      lines.add(line(record, status));
    }
    report.remarks().forEach(text -> lines.add("note: " + plain(text)));
    lines.add(
        "Merged "
            + report.in(TaskStatus.State.MERGED).size()
            + "/"
            + record.tasks().size()
            + ", failed "
            + report.in(TaskStatus.State.FAILED).size()
            + ", skipped "
            + report.in(TaskStatus.State.SKIPPED).size());
    String forwarded = report.forwarded();
    if (forwarded != null) {
      lines.add(plain(record.branch()) + " is now " + forwarded);
    }
    return lines;
  }

  /** The next step for an incomplete run. */
  static String goOn(WaveRecord record) {
    return "stopped. To continue: parley waves --resume " + record.run();
  }
}
