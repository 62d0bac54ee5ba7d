package dev.parley.cli.team;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Table;
import dev.parley.cli.terminal.Times;
import dev.parley.coordination.ledger.Activity;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.roster.Member;
import dev.parley.coordination.roster.Status;
import dev.parley.core.AgentName;
import dev.parley.json.MemberJson;
import dev.parley.mcp.wake.Wakefulness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Lists the agents on the bus. */
public final class Who implements Command {
  private static final Option EXPECT =
      Option.value(
              "--expect",
              "agents",
              "announce names, separated by commas: they can get mail before they join")
          .repeated();
  private static final Option STALE_AFTER =
      Option.value("--stale-after", "time", "set the silence after which a name is free (10m)");

  @Override
  public Description description() {
    return new Description(
        "who",
        Group.EVERYDAY,
        "list the agents",
        "Lists every agent that has joined: here, quiet (for how long) or gone; whether and how"
            + " mail wakes it when it is idle (parley wake says why not); its claimed task and"
            + " progress, as the bus knows them. Every command of an agent counts as a sign of"
            + " life.",
        List.of(),
        List.of(EXPECT, STALE_AFTER),
        List.of("parley who", "parley who --expect alice,bob", "parley who --stale-after 30m"));
  }

  @Override
  public int run(Invocation invocation) {
    Arguments arguments = invocation.arguments();
    List<String> expect =
        arguments.values(EXPECT).stream()
            .flatMap(value -> Arrays.stream(value.split(",", -1)))
            .map(name -> new AgentName(name.strip()).name())
            .toList();
    String staleAfter = arguments.value(STALE_AFTER);
    CommandContext context = CommandContext.open(invocation);
    if (!expect.isEmpty()) {
      context.sessions().expect(context.session().name(), expect);
    }
    if (staleAfter != null) {
      Duration silence = Times.duration(STALE_AFTER.name(), staleAfter);
      context.sessions().staleAfter(context.session().name(), silence);
    }
    context.catchUp();
    Times times = Times.of(context.team().ledger());
    context.team().ledger().show(ledger -> print(invocation.out(), context, ledger, times));
    return ExitCode.OK;
  }

  private static Wakefulness wake(CommandContext context, Member member) {
    return Wakefulness.of(
        context.bus().path(), member.name(), context.team().lookAtWakes(member.name()));
  }

  private static void print(Output out, CommandContext context, Ledger ledger, Times times) {
    if (out.isJson()) {
      ledger
          .roster()
          .members()
          .forEach(member ->
              out.line(
                  MemberJson.of(
                      member,
                      Activity.of(ledger, member, times.inLedger()),
                      times.inJson(),
                      wake(context, member).toJson())));
      for (String name : ledger.roster().expected()) {
        if (ledger.roster().member(name) == null) {
          out.line(MemberJson.expected(name));
        }
      }
      return;
    }
    Table table = table(context, ledger, times);
    if (table.lines().size() == 1) {
      out.line("No agents yet. Join: parley join --as <agent>");
      return;
    }
    table.print(out);
  }

  private static Table table(CommandContext context, Ledger ledger, Times times) {
    Table table = new Table();
    table.row("AGENT", "PRESENCE", "STATUS", "TASK", "HEARD", "WAKE", "ROLE");
    for (Member member : ledger.roster().members()) {
      Activity activity = Activity.of(ledger, member, times.inLedger());
      boolean isGone = activity.presence() == Activity.Presence.GONE;
      table.row(
          member.name(),
          presence(activity),
          isGone ? "-" : doing(member, activity),
          task(activity),
          times.ago(member.heard()),
          isGone ? "-" : wake(context, member).word(),
          role(member));
    }
    for (String name : ledger.roster().expected()) {
      if (ledger.roster().member(name) == null) {
        table.row(name, "expected", "-", "-", "-", "-", "");
      }
    }
    return table;
  }

  private static String presence(Activity activity) {
    long minutes = activity.silence().toMinutes();
    return activity.presence() == Activity.Presence.QUIET
        ? "quiet " + (minutes < 60 ? minutes + " min" : minutes / 60 + " h")
        : activity.presence().word();
  }

  /** For an agent without a task, its own status, if that says more than that it is alive. */
  private static String doing(Member member, Activity activity) {
    boolean says = activity.tasks().isEmpty() && member.status() != Status.RUNNING;
    return says ? member.status().name().toLowerCase(Locale.ROOT) : activity.doing().word();
  }

  private static String task(Activity activity) {
    if (activity.task() == null) {
      return "-";
    }
    int others = activity.tasks().size() - 1;
    return Printable.text(activity.task().id())
        + (activity.progress() < 0 ? "" : " " + activity.progress() + " %")
        + (others == 0 ? "" : " and " + others + " more");
  }

  /** The role, the abilities and the note. */
  private static String role(Member member) {
    List<String> parts = new ArrayList<>();
    if (member.role() != null) {
      parts.add(member.role());
    }
    if (!member.can().isEmpty()) {
      parts.add("(" + String.join(", ", member.can()) + ")");
    }
    if (member.note() != null) {
      parts.add(" " + member.note());
    }
    return parts.isEmpty() ? "-" : Printable.text(String.join(" ", parts).strip());
  }
}
