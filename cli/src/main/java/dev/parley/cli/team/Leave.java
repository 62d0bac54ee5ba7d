package dev.parley.cli.team;

import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.coordination.ledger.Session;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import java.util.List;

/** Ends a session and frees its name. */
public final class Leave implements Command {
  private static final Option REASON = Option.value("--reason", "text", "why");

  @Override
  public Description description() {
    return new Description(
        "leave",
        Group.EVERYDAY,
        "end your session",
        "Ends your session: your locks and claims are released, your name is free, and others see"
            + " that you left. Mail for you is kept.",
        List.of(),
        List.of(REASON),
        List.of("parley leave", "parley leave --as alice --reason \"done for today\""));
  }

  @Override
  public int run(Invocation invocation) {
    CommandContext context = CommandContext.open(invocation);
    Session session = context.identity().own();
    if (session == null) {
      throw ParleyException.refused(
          "not-joined", "No agent has joined from here.", "List the agents: parley who");
    }
    context.leave(session, invocation.arguments().value(REASON));
    if (invocation.out().isJson()) {
      invocation
          .out()
          .line(Json.object().put("state", "left").put("agent", session.name()).build());
    } else {
      invocation.out().line(session.name() + " has left.");
    }
    return ExitCode.OK;
  }
}
