package dev.parley.cli.mcp;

import dev.parley.Parley;
import dev.parley.WorkingTree;
import dev.parley.cli.args.CommonOptions;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.command.OpenedBus;
import dev.parley.cli.help.Version;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.coordination.ledger.Sessions;
import dev.parley.mcp.hook.HookRules;
import dev.parley.mcp.hook.HookTool;
import dev.parley.mcp.protocol.Engine;
import dev.parley.mcp.stdio.StdioTransport;
import dev.parley.mcp.tools.AgentContext;
import dev.parley.mcp.tools.AgentOffer;
import dev.parley.mcp.tools.AgentSource;
import dev.parley.session.Caller;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Serves the host of one agent over this process's streams. */
public final class McpCommand implements Command {
  static final Option HOST =
      Option.value(
          "--host",
          "name",
          "what to call the agent if neither --as nor PARLEY_AGENT says: claude, claude-2, …");

  @Override
  public Description description() {
    return new Description(
        "mcp",
        Group.CONNECT,
        "serve an agent's host as an MCP server",
        "Speaks the Model Context Protocol (revisions 2025-06-18, 2025-11-25 and 2026-07-28) on"
            + " stdin and stdout, for the one agent that --as, PARLEY_AGENT or --host names. Its"
            + " tools are send, inbox, wait, lock, unlock, task, board, bulletin, who and search."
            + " A host starts it; parley setup writes that into the host's settings. It ends when"
            + " stdin ends; the agent's session goes on.",
        List.of(),
        List.of(HOST),
        List.of("parley mcp --as alice", "parley mcp --host claude"));
  }

  @Override
  public boolean keepsInStep() {
    return false;
  }

  @Override
  public int run(Invocation invocation) throws IOException, InterruptedException {
    Path bus = invocation.bus().path();
    Caller caller =
        new Caller(
            invocation.arguments().value(CommonOptions.AS),
            invocation.shell().environment(),
            invocation.shell().folder());
    String host = invocation.arguments().value(HOST);
    OpenedBus opened = invocation.openedBus();
    Parley parley = opened.parley();
    Sessions sessions = opened.team().sessions();
    AgentSource source =
        new AgentSource(() -> HostAgent.joined(parley, sessions, bus, caller, host));
    WorkingTree tree = WorkingTree.of(invocation.shell().folder(), bus);
    AgentContext context = new AgentContext(parley, source, tree, bus);
    HookRules rules = new HookRules(context, new HostSubAgents(context, sessions));
    try (HostWaker waker = HostWaker.of(host, context)) {
      AgentOffer offer =
          new AgentOffer(
              context, Version.number(), List.of(new HookTool(rules).tool()), waker::see);
      new StdioTransport(new Engine(offer), invocation.shell().in(), invocation.shell().out())
          .serve();
    }
    return ExitCode.OK;
  }
}
