package dev.parley.cli.runners;

import dev.parley.cli.terminal.Printable;
import dev.parley.orchestration.plan.PlannedTask;
import dev.parley.orchestration.wave.TaskStatus;
import dev.parley.orchestration.wave.WaveRecord;
import dev.parley.orchestration.wave.WaveReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Waves as people read them. */
final class WaveText {
  private WaveText() {}

  static String plain(String text) {
    return Printable.text(text);
  }

  /** The files that several tasks name. */
  static List<String> shared(List<PlannedTask> tasks) {
    Map<String, List<String>> users = new TreeMap<>();
    for (PlannedTask task : tasks) {
      for (String file : task.files()) {
        users.computeIfAbsent(file, name -> new ArrayList<>()).add("task " + task.number());
      }
    }
    return users.entrySet().stream()
        .filter(file -> file.getValue().size() > 1)
        .map(file ->
            "  " + plain(file.getKey()) + " is named by " + String.join(", ", file.getValue()))
        .toList();
  }

  static List<String> status(WaveRecord record, String state) {
    List<String> lines = new ArrayList<>();
    lines.add("run " + record.run() + " on " + plain(record.branch()) + ": " + state);
    int wave = -1;
    for (TaskStatus status : record.tasks()) {
      if (status.wave() != wave) {
        wave = status.wave();
        lines.add("Wave " + (wave + 1) + " of " + record.waves().size());
      }
      lines.add("  " + line(record, status));
    }
    if (!state.equals("running") && !state.equals("complete")) {
      lines.add("Go on with it: parley waves --resume " + record.run());
    }
    return lines;
  }

  private static String line(WaveRecord record, TaskStatus status) {
    PlannedTask task = record.planned(status.number());
    StringBuilder line = new StringBuilder();
    line.append(String.format("%-8s", status.state().word()));
    line.append(" Task ").append(task.number()).append(": ").append(plain(task.title()));
    String gate = record.lastGate(task);
    if (!status.state().isOver() && !gate.isEmpty()) {
      line.append(" (iteration ")
          .append(record.iteration(task))
          .append(", ")
          .append(gate)
          .append(")");
    }
    if (status.reruns() > 0) {
      line.append(", run again ").append(status.reruns()).append(" times");
    }
    if (!status.why().isEmpty()) {
      line.append(": ").append(plain(status.why()));
    }
    return line.toString();
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
    if (!report.complete()) {
      lines.add("stopped. Go on with it: parley waves --resume " + record.run());
    }
    return lines;
  }
}
