package dev.parley.cli.team;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.IntOption;
import dev.parley.cli.terminal.Output;
import dev.parley.coordination.ledger.Sessions;
import dev.parley.coordination.roster.Member;
import dev.parley.coordination.roster.Status;
import dev.parley.core.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Marks an agent as alive, and tells what it does. */
public final class Heartbeat implements Command {
  private static final Option STATUS =
      Option.value("--status", "status", "your status")
          .choices("RUNNING", "COMPLETE", "FAILED", "BLOCKED");
  private static final Option TASK = Option.value("--task", "task", "the task you work on");
  private static final Option PROGRESS =
      Option.value("--progress", "percent", "your progress in percent, 0 to 100");
  private static final Option NOTE =
      Option.value("--note", "text", "a short note for other agents");

  private static final Option RESET_CLOCK =
      Option.flag("--reset-clock", "propose to set the bus's clock back to yours");

  @Override
  public Description description() {
    return new Description(
        "heartbeat",
        Group.EVERYDAY,
        "report that you are alive and what you are doing",
        "Others see it in parley who. Every other command counts as a sign of life too; use"
            + " heartbeat during long work without commands, and to report your status. On a system"
            + " without a boot clock (parley doctor says so), a wrong clock can move the bus's time"
            + " ahead, so that deadlines and locks end at wrong times: --reset-clock proposes to"
            + " set it back. Two must agree within five minutes: another agent, or you as human"
            + " (--as human). Everything keeps the time that it had left.",
        List.of(),
        List.of(STATUS, TASK, PROGRESS, NOTE, RESET_CLOCK),
        List.of(
            "parley heartbeat --task 1.2 --progress 40",
            "parley heartbeat --reset-clock",
            "parley heartbeat --status BLOCKED --note \"waiting for the schema\""));
  }

  @Override
  public int run(Invocation invocation) {
    Arguments arguments = invocation.arguments();
    String status = arguments.value(STATUS);
    Sessions.Beat beat =
        new Sessions.Beat(
            status == null ? null : Status.named(status),
            arguments.value(TASK),
            progress(arguments.value(PROGRESS)),
            arguments.value(NOTE));
    CommandContext context = CommandContext.open(invocation);
    if (arguments.has(RESET_CLOCK)) {
      resetClock(invocation.out(), context);
      return ExitCode.OK;
    }
    Member member = context.sessions().heartbeat(context.session(), beat);
    if (invocation.out().isJson()) {
      invocation
          .out()
          .line(
              Json.object()
                  .put("state", "stored")
                  .put("agent", member.name())
                  .put("status", member.status().name())
                  .build());
    } else {
      invocation.out().line(member.name() + " is " + member.status() + ".");
    }
    return ExitCode.OK;
  }

  private static void resetClock(Output out, CommandContext context) {
    boolean reset = context.sessions().resetClock(context.session());
    if (out.isJson()) {
      out.line(Json.object().put("state", "stored").put("reset", reset).build());
    } else if (reset) {
      out.line("The bus's clock is set back to yours.");
    } else {
      out.line(
          "stored. A second confirmation is needed within five minutes, from another agent or from"
              + " you as human:");
      out.line("  parley heartbeat --reset-clock --as human");
    }
  }

  private static @Nullable Integer progress(@Nullable String text) {
    return text == null ? null : IntOption.number(PROGRESS.name(), text, 0, 100);
  }
}
