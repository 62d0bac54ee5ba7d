package dev.parley.cli.command;

import dev.parley.cli.args.CommonOptions;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Table;
import dev.parley.core.ParleyException;
import dev.parley.core.Prefix;
import dev.parley.core.json.Json;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import org.jspecify.annotations.Nullable;

/** Shows where somebody is who types nothing but {@code parley}. */
public final class Overview {
  private Overview() {}

  public static int run(Invocation invocation) {
    BusFolder bus = find(invocation);
    int topics = bus == null ? 0 : count(bus);
    String agent = invocation.agent();
    if (invocation.out().isJson()) {
      invocation
          .out()
          .line(
              Json.object()
                  .put("bus", bus == null ? null : bus.path().toString())
                  .put("topics", topics)
                  .put("agent", agent)
                  .build());
      return ExitCode.OK;
    }
    Table table = new Table();
    if (bus == null) {
      table.row("bus", "none here; make one: parley init");
    } else {
      String count = topics == 1 ? "1 topic" : topics + " topics";
      table.row("bus", Printable.text(bus.path().toString()) + " (" + count + ")");
    }
    if (agent == null) {
      table.row("you", "unknown; say who you are: export " + Invocation.AGENT + "=<agent>");
    } else {
      table.row("you", Printable.text(agent));
    }
    table.row("help", "parley help");
    table.lines().forEach(invocation.out()::line);
    return ExitCode.OK;
  }

  /** That there is no bus yet is nothing wrong, unless a certain one was asked for. */
  private static @Nullable BusFolder find(Invocation invocation) {
    try {
      return invocation.bus();
    } catch (ParleyException e) {
      if (e.code().equals("no-bus") && !invocation.arguments().has(CommonOptions.BUS)) {
        return null;
      }
      throw e;
    }
  }

  private static int count(BusFolder bus) {
    try (FileLog log = bus.openLog()) {
      return log.topics(Prefix.ALL).size();
    }
  }
}
