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
import dev.parley.cli.terminal.Wrap;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lists, shows and changes bus settings; lists and shows environment variables. */
public final class ConfigCommand implements Command {
  private static final Parameter SETTING =
      Parameter.required("setting", "the name of a setting or variable");
  private static final Parameter VALUE = Parameter.required("value", "the new value");

  private static final String ELSEWHERE =
      "Limits of your inbox: parley inbox limits; of waking you: parley wake limits; agents that are"
          + " asked: parley.toml (parley help agents).";

  /** The names of all settings and variables. */
  public static List<String> names() {
    List<String> names = new ArrayList<>();
    Setting.all().forEach(setting -> names.add(setting.word()));
    Variable.ALL.forEach(variable -> names.add(variable.name()));
    return names;
  }

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
            Description.sub("get", "show one setting or variable", List.of(SETTING), List.of()),
            Description.sub("set", "change a bus setting", List.of(SETTING, VALUE), List.of())),
        List.of(
            "parley config",
            "parley config get leases",
            "parley config get PARLEY_BODY_BYTES",
            "parley config set leases tree",
            "parley config set claims-outlast 2h",
            "parley config set body-bytes 16384"));
  }

  @Override
  public int run(Invocation invocation) {
    Arguments arguments = invocation.arguments();
    CommandContext context = CommandContext.open(invocation);
    switch (arguments.subcommand()) {
      case "get" -> {
        String name = arguments.required(SETTING);
        Variable variable = Variable.named(name);
        if (variable != null) {
          show(invocation, variable);
        } else {
          show(invocation, context, Setting.named(name));
        }
      }
      case "set" -> {
        String name = arguments.required(SETTING);
        String value = arguments.required(VALUE);
        if (Variable.named(name) != null) {
          throw ParleyException.invalid(
              "not-a-bus-setting",
              name + " is an environment variable: each process has its own.",
              "Set it in your shell: export " + name + "=" + value);
        }
        Setting setting = Setting.named(name);
        setting.write(context, value);
        show(invocation, context, setting);
      }
      default -> list(invocation, context);
    }
    return ExitCode.OK;
  }

  private static void show(Invocation invocation, CommandContext context, Setting setting) {
    Output out = invocation.out();
    String value = setting.read(context);
    out.line(
        out.isJson()
            ? json(setting, value).toString()
            : setting.word() + " = " + Printable.text(value));
  }

  private static void show(Invocation invocation, Variable variable) {
    Output out = invocation.out();
    String value = invocation.shell().variable(variable.name());
    out.line(
        out.isJson()
            ? json(variable, value).toString()
            : variable.name() + " = " + shown(variable, value));
  }

  private static String shown(Variable variable, @Nullable String value) {
    return value == null ? "(not set)" : variable.secret() ? "(set)" : Printable.text(value);
  }

  private static Json json(Setting setting, String value) {
    return Json.object()
        .put("name", setting.word())
        .put("value", value)
        .put("default", setting.usual())
        .put("from", value.equals(setting.usual()) ? "default" : "bus")
        .put("place", setting.place())
        .put("meaning", setting.meaning())
        .build();
  }

  private static Json json(Variable variable, @Nullable String value) {
    return Json.object()
        .put("name", variable.name())
        .put("value", variable.secret() ? null : value)
        .put("from", value == null ? "default" : "environment")
        .put("place", "environment")
        .put("meaning", variable.meaning())
        .build();
  }

  private static void list(Invocation invocation, CommandContext context) {
    Output out = invocation.out();
    Table settings = new Table();
    settings.row("SETTING", "VALUE", "DEFAULT", "MEANING");
    for (Setting setting : Setting.all()) {
      String value = setting.read(context);
      if (out.isJson()) {
        out.line(json(setting, value));
      }
      settings.row(setting.word(), Printable.text(value), setting.usual(), setting.meaning());
    }
    Table variables = new Table();
    variables.row("VARIABLE", "VALUE", "MEANING");
    for (Variable variable : Variable.ALL) {
      String value = invocation.shell().variable(variable.name());
      if (out.isJson()) {
        out.line(json(variable, value));
      }
      variables.row(
          variable.name(), value == null ? "-" : shown(variable, value), variable.meaning());
    }
    if (!out.isJson()) {
      settings.print(out);
      out.line("");
      variables.print(out);
      out.line("");
      Wrap.words(ELSEWHERE, out.width()).forEach(out::line);
    }
  }
}
