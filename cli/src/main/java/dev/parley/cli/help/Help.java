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
import dev.parley.cli.terminal.Output;
import dev.parley.core.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Explains the commands. */
public final class Help implements Command {
  /** A page for language models, not a command. */
  private static final String FOR_AGENTS = "agent";

  private static final Parameter COMMAND =
      Parameter.optional("command", "the command to explain; agent: a primer for language models");
  private static final Parameter SUBCOMMAND =
      Parameter.optional("sub-command", "one of its sub-commands");
  private static final Option ALL = Option.flag("--all", "list all commands, including plumbing");

  @Override
  public Description description() {
    return new Description(
        "help",
        Group.EVERYDAY,
        "explain the commands",
        "Lists the commands by purpose, or explains one command or sub-command. The list also"
            + " explains the options and exit codes that all commands share.",
        List.of(COMMAND, SUBCOMMAND),
        List.of(ALL),
        List.of(
            "parley help",
            "parley help --all",
            "parley help task",
            "parley help task add",
            "parley help agent"));
  }

  @Override
  public boolean keepsInStep() {
    return false;
  }

  @Override
  public int run(Invocation invocation) {
    String name = invocation.arguments().word(COMMAND);
    if (name == null) {
      return show(invocation, null);
    }
    if (name.equals(FOR_AGENTS)) {
      return primer(invocation.out());
    }
    Description command = invocation.commands().describe(name);
    if (command == null) {
      throw Parser.unknownCommand(name, invocation.commands());
    }
    String word = invocation.arguments().word(SUBCOMMAND);
    Description sub = command.subcommand(word);
    if (word != null && sub == null) {
      throw Parser.unknownSubcommand(command, word);
    }
    return show(invocation, sub == null ? command : sub);
  }

  private static int primer(Output out) {
    if (out.isJson()) {
      out.line(Json.object().put("topic", FOR_AGENTS).put("text", AgentPrimer.TEXT).build());
    } else {
      AgentPrimer.TEXT.lines().forEach(out::line);
    }
    return ExitCode.OK;
  }

  /** Explains one command, or all if it is null. */
  public static int show(Invocation invocation, @Nullable Description command) {
    Arguments arguments = invocation.arguments();
    boolean all = arguments.has(ALL);
    if (invocation.out().isJson() && command != null) {
      invocation.out().line(json(command));
    } else if (invocation.out().isJson()) {
      for (String name : invocation.commands().names()) {
        Description each = invocation.commands().describe(name);
        if (each != null && (all || each.group() != Group.PLUMBING)) {
          invocation.out().line(json(each));
        }
      }
    } else if (command != null) {
      new HelpPage(invocation.out()).command(command);
    } else {
      new HelpPage(invocation.out()).overview(invocation.commands(), all);
    }
    return ExitCode.OK;
  }

  private static Json json(Description command) {
    Json.ObjectBuilder json =
        Json.object()
            .put("command", command.name())
            .put("group", command.group().title())
            .put("summary", command.summary())
            .put("usage", command.usage())
            .put("details", command.details())
            .put("arguments", Json.of(command.parameters().stream().map(Help::json).toList()))
            .put("options", Json.of(command.options().stream().map(Help::json).toList()))
            .put("examples", Json.ofStrings(command.examples()));
    if (!command.subcommands().isEmpty()) {
      json.put("subcommands", Json.of(command.subcommands().stream().map(Help::json).toList()));
    }
    return json.build();
  }

  private static Json json(Parameter parameter) {
    return Json.object().put("argument", parameter.usage()).put("help", parameter.help()).build();
  }

  private static Json json(Option option) {
    return Json.object().put("option", option.usage()).put("help", option.help()).build();
  }
}
