package dev.parley.cli.command;

import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.filelog.BusFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Makes the bus of a project. */
public final class Init implements Command {
  static final String NAME = "init";

  private static final Parameter FOLDER =
      Parameter.optional("folder", "with --dialect: the folder or file to create");
  private static final Option DIALECT =
      Option.value("--dialect", "design", "create another design's files instead of a bus")
          .choices("conductor", "swarm", "markdown", "conclave", "gear");
  private static final Option EPHEMERAL =
      Option.flag("--ephemeral", "create a bus that is removed when this command ends");

  @Override
  public Description description() {
    return new Description(
        NAME,
        Group.EVERYDAY,
        "create a bus for this project",
        "Creates the folder .parley at the root of the git repository, or in the current folder,"
            + " and excludes it from git. All worktrees of the repository share it. Running init"
            + " again changes nothing. With --ephemeral the bus is in a temporary folder (or at"
            + " --bus) and exists while this command runs: until SIGINT, SIGTERM or end of input."
            + " With --dialect the command creates the folder or file of another design instead of"
            + " a bus and leaves existing files unchanged. A Conclave folder may be ephemeral too:"
            + " it then has a .pid file, and replaces a folder whose owner has died.",
        List.of(FOLDER),
        List.of(EPHEMERAL, DIALECT),
        List.of(
            "parley init",
            "parley init --bus /srv/team-bus",
            "parley init --ephemeral --json",
            "parley init --dialect swarm .swarm",
            "parley init --dialect conclave --ephemeral"));
  }

  @Override
  public boolean keepsInStep() {
    return false;
  }

  @Override
  public int run(Invocation invocation) throws IOException, InterruptedException {
    String dialect = invocation.arguments().value(DIALECT);
    String folder = invocation.arguments().word(FOLDER);
    boolean ephemeral = invocation.arguments().has(EPHEMERAL);
    if (dialect != null) {
      return DialectInit.run(invocation, dialect, folder, ephemeral);
    }
    if (ephemeral) {
      return Ephemeral.run(invocation);
    }
    if (folder != null) {
      throw ParleyException.invalid(
          "folder-without-dialect",
          "A folder needs --dialect; a bus is named with --bus.",
          "Use parley init --bus " + folder + ", or add --dialect.");
    }
    BusFolder.Made made =
        BusFolder.init(
            invocation.namedBus(), invocation.shell().folder(), invocation.shell().environment());
    answer(invocation.out(), made);
    return ExitCode.OK;
  }

  private static void answer(Output out, BusFolder.Made made) {
    String bus = made.folder().path().toString();
    Path excluded = made.excludedIn();
    if (out.isJson()) {
      out.line(
          Json.object()
              .put("state", made.created() ? "created" : "exists")
              .put("bus", bus)
              .put("excludedIn", excluded == null ? null : excluded.toString())
              .build());
      return;
    }
    out.line((made.created() ? "Made the bus " : "The bus already exists: ") + Printable.text(bus));
    if (excluded != null) {
      out.line("Git ignores it (" + Printable.text(excluded.toString()) + ").");
    }
  }
}
