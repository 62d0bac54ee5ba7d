package dev.parley.cli.team;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.ledger.Sessions;
import dev.parley.core.json.Json;
import java.util.Arrays;
import java.util.List;

/** Takes a name on the bus. */
public final class Join implements Command {
  private static final Option ROLE =
      Option.value("--role", "role", "what you are, such as reviewer");
  private static final Option CAN =
      Option.value("--can", "abilities", "what you can do, with commas between").repeated();
  private static final Option EXPORT =
      Option.flag("--export", "print a line for eval that puts the session into the environment");

  @Override
  public Description description() {
    return new Description(
        "join",
        Group.EVERYDAY,
        "take a name on the bus",
        "Takes a name for this session. Whatever is started from the same shell or agent then"
            + " speaks under it. Other commands join by themselves when they know who you are"
            + " (--as or PARLEY_AGENT); join is for saying more about yourself. A name that"
            + " another live session has is refused; it is free again when that session leaves, its"
            + " process ends, or nothing was heard of it for 10 minutes.",
        List.of(),
        List.of(ROLE, CAN, EXPORT),
        List.of(
            "parley join --as alice --role reviewer --can java,sql",
            "eval \"$(parley join --as alice --export)\""));
  }

  @Override
  public int run(Invocation invocation) {
    Arguments arguments = invocation.arguments();
    List<String> can =
        arguments.values(CAN).stream()
            .flatMap(value -> Arrays.stream(value.split(",", -1)))
            .map(String::strip)
            .filter(ability -> !ability.isEmpty())
            .toList();
    Desk desk = Desk.open(invocation);
    Session session = desk.identity().joined(new Sessions.Profile(arguments.value(ROLE), can));
    if (arguments.has(EXPORT)) {
      invocation.out().line("export " + Identity.SESSION + "='" + session.token() + "'");
    } else if (invocation.out().isJson()) {
      invocation
          .out()
          .line(
              Json.object()
                  .put("state", "joined")
                  .put("agent", session.name())
                  .put("session", session.id())
                  .build());
    } else {
      invocation.out().line(session.name() + " is here.");
      invocation.out().line("Next: parley inbox, parley who, parley send <agent> --body …");
    }
    return ExitCode.OK;
  }
}
