package dev.parley.cli.wake;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.team.CommandContext;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.IntOption;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Table;
import dev.parley.cli.terminal.Times;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.roster.Member;
import dev.parley.coordination.wake.Wake;
import dev.parley.coordination.wake.WakeLimit;
import dev.parley.coordination.wake.WakeLimits;
import dev.parley.coordination.wake.WakeLog;
import dev.parley.coordination.wake.Wakes;
import dev.parley.core.AgentName;
import dev.parley.core.json.Json;
import dev.parley.mcp.wake.Wakefulness;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Shows how agents can be woken and what became of it; sets the limits. */
public final class WakeCommand implements Command {
  public static final String NAME = "wake";

  private static final Parameter AGENT =
      Parameter.optional("agent", "whose attempts to show; without it, everybody's last one");
  private static final Map<WakeLimit, Option> LIMITS = options();

  private static Map<WakeLimit, Option> options() {
    Map<WakeLimit, Option> options = new EnumMap<>(WakeLimit.class);
    for (WakeLimit limit : WakeLimit.values()) {
      String name = "--" + limit.field().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
      String usual = " (" + limit.usual() + (limit.isTime() ? " s)" : ")");
      options.put(
          limit, Option.value(name, limit.isTime() ? "time" : "n", limit.meaning() + usual));
    }
    return options;
  }

  @Override
  public Description description() {
    return Description.family(
        NAME,
        Group.LOOK_BACK,
        "show who can be woken by mail, and what became of it",
        "An idle agent that gets mail is woken by its own host: Claude Code by a hook that waits in"
            + " the background, Codex by its queue, OpenCode by a prompt, other programs by parley"
            + " run. Each attempt is on the bus: requested, delivered (the host has the notice),"
            + " woken (the agent has acted since), failed or refused. One wake stands for all mail"
            + " of some seconds; limits keep agents from waking each other without end. Mail from"
            + " human passes all limits.",
        "list",
        List.of(
            Description.sub(
                "list", "show agents, or the attempts of one", List.of(AGENT), List.of()),
            Description.sub(
                "limits",
                "show and set the limits for yourself",
                List.of(),
                List.copyOf(LIMITS.values()))),
        List.of(
            "parley wake",
            "parley wake list bob",
            "parley wake limits --as bob --an-hour 10 --cool-down 1m"));
  }

  @Override
  public int run(Invocation invocation) {
    Arguments arguments = invocation.arguments();
    CommandContext context = CommandContext.open(invocation);
    if (arguments.subcommand().equals("limits")) {
      limits(arguments, invocation.out(), context);
      return ExitCode.OK;
    }
    String agent = arguments.word(AGENT);
    if (agent == null) {
      all(invocation.out(), context);
    } else {
      context.checkKnown(new AgentName(agent).name());
      one(invocation.out(), context, agent);
    }
    return ExitCode.OK;
  }

  /** The times of an agent's wakes, for people. */
  public static Times times(CommandContext context, Wakes wakes) {
    Times system = Times.system();
    Duration ahead = wakes.wallAhead(context.log().clock().now(), Instant.now());
    return new Times(system.now(), system.zone(), ahead);
  }

  private static void all(Output out, CommandContext context) {
    Path bus = context.bus().path();
    Table table = new Table();
    table.row("AGENT", "CAN BE WOKEN", "LAST WAKE");
    List<String> names =
        context
            .team()
            .ledger()
            .look((Ledger ledger) ->
                ledger.roster().members().stream()
                    .filter(member -> !member.hasLeft())
                    .map(Member::name)
                    .toList());
    for (String name : names) {
      Wakes wakes = context.team().lookAtWakes(name);
      Wakefulness known = Wakefulness.of(bus, name, wakes);
      if (out.isJson()) {
        out.line(Json.object().put("agent", name).put("wake", known.toJson()).build());
      }
      table.row(name, WakeText.ability(known), WakeText.last(known.last(), times(context, wakes)));
    }
    if (!out.isJson()) {
      if (names.isEmpty()) {
        out.line("Nobody yet. Join: parley join --as <agent>");
      } else {
        table.print(out);
      }
    }
  }

  private static void one(Output out, CommandContext context, String agent) {
    Wakes wakes = context.team().lookAtWakes(agent);
    Wakefulness known = Wakefulness.of(context.bus().path(), agent, wakes);
    if (out.isJson()) {
      out.line(
          Json.object()
              .put("agent", agent)
              .put("wake", known.toJson())
              .put("wakes", Json.of(wakes.all().stream().map(Wake::toJson).toList()))
              .build());
      return;
    }
    out.line(WakeText.sentence(agent, known));
    for (Wake wake : wakes.all()) {
      out.line(
          "for "
              + Printable.text(String.join(", ", wake.from()))
              + ", mail "
              + Printable.text(String.join(", ", wake.mail())));
      WakeText.steps(agent, wake, times(context, wakes)).forEach(line -> out.line("  " + line));
    }
  }

  private static void limits(Arguments arguments, Output out, CommandContext context) {
    WakeLog waking = context.team().waking(context.session());
    WakeLimits now = waking.now().limits();
    WakeLimits wanted = now;
    for (Map.Entry<WakeLimit, Option> entry : LIMITS.entrySet()) {
      Long value = value(entry.getKey(), entry.getValue(), arguments);
      wanted = value == null ? wanted : wanted.with(entry.getKey(), value);
    }
    if (!wanted.equals(now)) {
      waking.setLimits(wanted);
    }
    if (out.isJson()) {
      out.line(wanted.toJson());
      return;
    }
    for (WakeLimit limit : WakeLimit.values()) {
      String unit = limit.isTime() ? " s" : "";
      out.line(String.format("%-10s %d%s", limit.field(), wanted.get(limit), unit));
    }
  }

  private static @Nullable Long value(WakeLimit limit, Option option, Arguments arguments) {
    String text = arguments.value(option);
    if (text == null) {
      return null;
    }
    return limit.isTime()
        ? Times.duration(option.name(), text).toSeconds()
        : (long) IntOption.number(option.name(), text, 1, 1_000_000);
  }
}
