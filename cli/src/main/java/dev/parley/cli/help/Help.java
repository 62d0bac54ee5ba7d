package dev.parley.cli.help;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.args.Parser;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.core.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Explains the commands. */
public final class Help implements Command {
  private static final Parameter COMMAND = Parameter.optional("command", "the command to explain");
  private static final Option ALL = Option.flag("--all", "list all commands, plumbing included");

  @Override
  public Description description() {
    return new Description(
        "help",
        Group.EVERYDAY,
        "explain the commands",
        "Lists the commands by what they are for, or explains one of them.",
        List.of(COMMAND),
        List.of(ALL),
        List.of("parley help", "parley help --all", "parley help publish"));
  }

  @Override
  public boolean keepsInStep() {
    return false;
  }

  @Override
  public int run(Invocation invocation) {
    String name = invocation.arguments().word(COMMAND);
    Description command = name == null ? null : invocation.commands().describe(name);
    if (name != null && command == null) {
      throw Parser.unknownCommand(name, invocation.commands());
    }
    return show(invocation, command);
  }

  /** Explains one command, or all if it is null. */
  public static int show(Invocation invocation, @Nullable Description command) {
    Arguments arguments = invocation.arguments();
    if (invocation.out().isJson()) {
      for (String name : invocation.commands().names()) {
        Description each = invocation.commands().describe(name);
        if (each != null && (command == null || command.name().equals(name))) {
          invocation.out().line(json(each));
        }
      }
    } else if (command != null) {
      new Page(invocation.out()).command(command);
    } else {
      new Page(invocation.out()).overview(invocation.commands(), arguments.has(ALL));
    }
    return ExitCode.OK;
  }

  private static Json json(Description command) {
    return Json.object()
        .put("command", command.name())
        .put("group", command.group().title())
        .put("summary", command.summary())
        .put("usage", command.usage())
        .put("options", Json.of(command.options().stream().map(Help::json).toList()))
        .put("examples", Json.ofStrings(command.examples()))
        .build();
  }

  private static Json json(Option option) {
    return Json.object().put("option", option.usage()).put("help", option.help()).build();
  }
}
