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
import dev.parley.session.SessionFinder.How;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes a name on the bus. */
public final class Join implements Command {
  private static final Option ROLE = Option.value("--role", "role", "your role, such as reviewer");
  private static final Option CAN =
      Option.value("--can", "abilities", "your abilities, separated by commas").repeated();
  private static final Option EXPORT =
      Option.flag("--export", "print a line for eval that sets PARLEY_SESSION");

  private static final Option TAKE_OVER =
      Option.flag("--take-over", "end a session that uses the name elsewhere, and take the name");

  @Override
  public Description description() {
    return new Description(
        "join",
        Group.EVERYDAY,
        "take a name on the bus",
        "Registers your agent name, or resumes its session: a session outlives the processes that"
            + " use it. Later commands from the same shell or agent use this name unless they give"
            + " another. Other commands join automatically if they know your name (--as or"
            + " PARLEY_AGENT), for that command only. A name in use by a running process elsewhere"
            + " is refused unless you take it over, which releases everything that the other"
            + " session holds.",
        List.of(),
        List.of(ROLE, CAN, EXPORT, TAKE_OVER),
        List.of(
            "parley join --as alice --role reviewer --can java,sql",
            "parley join --as alice --take-over",
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
    CommandContext context = CommandContext.open(invocation);
    Session session = context.identity().joined(profile(arguments, can), how(arguments));
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
      invocation
          .out()
          .line(
              session.name()
                  + " is here."
                  + (arguments.has(TAKE_OVER) ? " What its last session held is released." : ""));
      invocation.out().line("Next: parley inbox, parley who, parley send <agent> <text>");
    }
    return ExitCode.OK;
  }

  /** Null leaves the earlier profile unchanged, for a caller that tells nothing about itself. */
  private static Sessions.@Nullable Profile profile(Arguments arguments, List<String> can) {
    String role = arguments.value(ROLE);
    return role == null && can.isEmpty() ? null : new Sessions.Profile(role, can);
  }

  private static How how(Arguments arguments) {
    return arguments.has(TAKE_OVER) ? How.TAKE_OVER : How.BIND;
  }
}
