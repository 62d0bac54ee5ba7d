package dev.parley.cli.args;

import java.util.List;

/** The options of every command, which may come before or after its name. */
public final class CommonOptions {
  public static final Option BUS =
      Option.value("--bus", Option.FOLDER, "the bus folder (or PARLEY_BUS), or dialect:path");
  public static final Option AS =
      Option.value("--as", "agent", "your agent name (or PARLEY_AGENT)");
  public static final Option JSON =
      Option.flag("--json", "answer in JSON, one object a line, for programs");
  public static final Option COLOR =
      Option.value(
              "--color",
              "when",
              "when to use colours (auto: on a terminal, unless NO_COLOR is set)")
          .choices("auto", "always", "never");
  public static final Option HELP = Option.flag("--help", "show help").letter("-h");
  public static final Option VERSION = Option.flag("--version", "show the version");

  public static final List<Option> ALL = List.of(BUS, AS, JSON, COLOR, HELP, VERSION);

  private CommonOptions() {}
}
