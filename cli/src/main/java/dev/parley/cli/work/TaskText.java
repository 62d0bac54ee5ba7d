package dev.parley.cli.work;

import dev.parley.cli.command.BodyPart;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Style;
import dev.parley.cli.terminal.Table;
import dev.parley.cli.terminal.Times;
import dev.parley.coordination.task.Task;
import dev.parley.coordination.task.Tasks;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.json.TaskJson;
import dev.parley.text.Explanation;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Prints tasks. */
final class TaskText {
  private TaskText() {}

  /**
   * Lists tasks, and says so if there is nothing to claim: because there are no tasks, because all
   * are over, or because none is ready.
   *
   * @param part how much of a description is shown
   * @param complete whether no task was left out
   */
  static void list(
      Output out, BodyPart part, Tasks all, List<Task> tasks, boolean complete, Times times) {
    ParleyException nothing = complete ? NothingReady.of(all) : null;
    if (out.isJson()) {
      tasks.forEach(task -> out.line(json(part, all, task, times)));
      if (nothing != null) {
        out.line(NothingReady.json(nothing));
      }
      return;
    }
    if (!tasks.isEmpty()) {
      table(out, all, tasks, times);
    }
    if (nothing != null) {
      Explanation why = Explanation.of(nothing);
      out.line(why.message() + " " + why.next());
    } else if (tasks.isEmpty()) {
      out.line("No task matches.");
    }
  }

  private static void table(Output out, Tasks all, List<Task> tasks, Times times) {
    Table table = new Table();
    table.row("TASK", "STATE", "OWNER", "SINCE", "PRIORITY", "TITLE");
    for (Task task : tasks) {
      table.row(
          Printable.text(task.id()),
          task.state().word() + progress(task),
          shown(task.owner()),
          times.ago(task.since()),
          task.plan().priority().word(),
          Printable.text(task.plan().title()) + why(all, task));
    }
    table.print(out);
  }

  private static String progress(Task task) {
    int percent = task.claim().progress();
    return task.state().hasOwner() && percent >= 0 ? " " + percent + " %" : "";
  }

  private static String why(Tasks all, Task task) {
    String why =
        switch (task.state()) {
          case PENDING -> "waits for " + String.join(", ", all.missing(task));
          case BLOCKED -> "blocked on " + task.claim().blockedOn();
          case FAILED, SKIPPED, CANCELLED -> task.note();
          default -> null;
        };
    return why == null ? "" : "  (" + Printable.text(why) + ")";
  }

  private static String shown(@Nullable String text) {
    return text == null ? "-" : Printable.text(text);
  }

  /** A claim lasts until a time; afterwards the name is that of the last owner. */
  private static @Nullable String owner(Task task, @Nullable Instant until, Times times) {
    return until == null || task.owner() == null
        ? task.owner()
        : task.owner() + ", until " + times.clock(until);
  }

  private static BodyPart.Shown body(BodyPart part, Task task) {
    return part.of(task.id(), task.plan().body(), "parley task show " + task.id());
  }

  private static Json json(BodyPart part, Tasks all, Task task, Times times) {
    return body(part, task).in(TaskJson.of(all, task, times.inJson()), "body");
  }

  /**
   * Prints all of a task.
   *
   * @param until when its claim ends unless its owner does something; null if nobody owns it
   */
  static void whole(
      Output out, BodyPart part, Tasks all, Task task, @Nullable Instant until, Times times) {
    BodyPart.Shown body = body(part, task);
    if (out.isJson()) {
      out.line(json(part, all, task, times));
      return;
    }
    out.line(out.styled(Style.BOLD, Printable.text(task.id() + "  " + task.plan().title())));
    Table table = new Table();
    table.row("  state", task.state().word() + progress(task) + ", " + times.ago(task.since()));
    row(table, task.state().hasOwner() ? "owner" : "last owner", owner(task, until, times));
    row(table, "blocked on", task.claim().blockedOn());
    row(table, "note", task.note());
    row(table, "commit", task.result().commit());
    row(table, "changed", String.join(" ", task.result().files()));
    row(table, "after", String.join(" ", task.plan().after()));
    row(table, "missing", String.join(" ", all.missing(task)));
    row(table, "unblocks", String.join(" ", all.dependents(task.id())));
    row(table, "files", String.join(" ", task.plan().files()));
    row(table, "needs", String.join(" ", task.plan().needs()));
    table.row("  priority", task.plan().priority().word());
    table.row("  tried", task.tried() + " of " + task.plan().tries());
    table.row("  added", "by " + Printable.text(task.addedBy()) + ", ledger@" + task.added());
    table.lines(out.width()).forEach(out::line);
    for (String criterion : task.plan().criteria()) {
      out.line("  [ ] " + Printable.text(criterion));
    }
    body.text().lines().forEach(line -> out.line("  " + Printable.text(line)));
    if (!body.isWhole()) {
      out.line("  " + body.remark());
    }
  }

  private static void row(Table table, String name, @Nullable String text) {
    if (text != null && !text.isEmpty()) {
      table.row("  " + name, Printable.text(text));
    }
  }
}
