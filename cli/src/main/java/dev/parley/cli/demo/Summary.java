package dev.parley.cli.demo;

import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Table;
import dev.parley.coordination.board.BoardSession;
import dev.parley.coordination.board.Resolution;
import dev.parley.coordination.task.Task;
import java.util.ArrayList;
import java.util.List;

/** The result of the story: its tasks and what its boards have decided. */
final class Summary {
  private Summary() {}

  static List<String> lines(List<Task> tasks, List<BoardSession> boards) {
    Table table = new Table();
    table.row("TASK", "STATE", "BY", "TRIES", "COMMIT", "TITLE");
    for (Task task : tasks) {
      String commit = task.result().commit();
      table.row(
          task.id(),
          task.state().word(),
          Printable.text(task.owner() == null ? "-" : task.owner()),
          Integer.toString(task.tried()),
          Printable.text(commit == null ? "-" : commit),
          Printable.text(task.plan().title()));
    }
    List<String> lines = new ArrayList<>(table.lines());
    for (BoardSession meeting : boards) {
      Resolution resolution = meeting.resolution();
      if (resolution != null) {
        lines.add(
            meeting.id()
                + ": "
                + resolution.verdict()
                + "; "
                + String.join(
                    ", ",
                    resolution.votes().entrySet().stream()
                        .map(vote -> vote.getKey() + " " + vote.getValue())
                        .toList())
                + "; conditions: "
                + resolution.conditions().size()
                + "; dissent: "
                + Printable.text(
                    String.join(
                        ", ",
                        resolution.dissent().stream()
                            .map(one -> one.director() + " (" + one.reason() + ")")
                            .toList())));
      }
    }
    return lines;
  }
}
