package dev.parley.cli.config;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.team.CommandContext;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Table;
import dev.parley.core.json.Json;
import java.util.List;

/** Shows and changes what is set for a bus; shows the variables that count. */
public final class ConfigCommand implements Command {
  private static final Parameter SETTING = Parameter.required("setting", "which setting");
  private static final Parameter VALUE = Parameter.required("value", "what it shall be");

  @Override
  public Description description() {
    return Description.family(
        "config",
        Group.EVERYDAY,
        "show and change settings",
        "Settings of a bus are lines in its ledger: they hold for everyone on it, from the line on."
            + " Variables of the environment hold for one process. Agents, limits and models are"
            + " set in parley.toml: see parley agents --help.",
        "list",
        List.of(
            Description.sub("list", "show all settings and variables", List.of(), List.of()),
            Description.sub("get", "show one setting", List.of(SETTING), List.of()),
            Description.sub("set", "change a setting", List.of(SETTING, VALUE), List.of())),
        List.of(
            "parley config",
            "parley config get leases",
            "parley config set leases tree",
            "parley config set claims-outlast 2h"));
  }

  @Override
  public int run(Invocation invocation) {
    Arguments arguments = invocation.arguments();
    Output out = invocation.out();
    CommandContext context = CommandContext.open(invocation);
    switch (arguments.subcommand()) {
      case "get" -> {
        BusSetting setting = BusSetting.named(arguments.required(SETTING));
        show(out, setting, value(context, setting));
      }
      case "set" -> {
        BusSetting setting = BusSetting.named(arguments.required(SETTING));
        setting.write(context.sessions(), context.session().name(), arguments.required(VALUE));
        show(out, setting, value(context, setting));
      }
      default -> list(invocation, context);
    }
    return ExitCode.OK;
  }

  private static String value(CommandContext context, BusSetting setting) {
    return context.team().ledger().look(setting::value);
  }

  private static void show(Output out, BusSetting setting, String value) {
    if (out.isJson()) {
      out.line(json(setting, value));
    } else {
      out.line(setting.word() + " = " + value);
    }
  }

  private static Json json(BusSetting setting, String value) {
    return Json.object()
        .put("name", setting.word())
        .put("value", value)
        .put("default", setting.usual())
        .put("from", value.equals(setting.usual()) ? "default" : "bus")
        .put("meaning", setting.meaning())
        .build();
  }

  private static void list(Invocation invocation, CommandContext context) {
    Output out = invocation.out();
    Table settings = new Table();
    settings.row("SETTING", "VALUE", "DEFAULT", "MEANING");
    for (BusSetting setting : BusSetting.values()) {
      String value = value(context, setting);
      if (out.isJson()) {
        out.line(json(setting, value));
      }
      settings.row(setting.word(), value, setting.usual(), setting.meaning());
    }
    Table variables = new Table();
    variables.row("VARIABLE", "VALUE", "MEANING");
    for (Variable variable : Variable.ALL) {
      String value = invocation.shell().variable(variable.name());
      String shown = value == null ? "-" : variable.secret() ? "(set)" : value;
      if (out.isJson()) {
        out.line(
            Json.object()
                .put("name", variable.name())
                .put("value", value == null || variable.secret() ? null : value)
                .put("from", value == null ? "default" : "environment")
                .put("meaning", variable.meaning())
                .build());
      }
      variables.row(variable.name(), Printable.text(shown), variable.meaning());
    }
    if (!out.isJson()) {
      settings.print(out);
      out.line("");
      variables.print(out);
    }
  }
}
