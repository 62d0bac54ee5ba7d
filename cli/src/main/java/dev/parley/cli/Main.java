package dev.parley.cli;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.CommonOptions;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Parser;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.help.Help;
import dev.parley.cli.help.Version;
import dev.parley.cli.mount.MountSync;
import dev.parley.cli.mount.MountedBus;
import dev.parley.cli.team.StatusCommand;
import dev.parley.cli.terminal.ClosedOutputException;
import dev.parley.cli.terminal.Devices;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.IntOption;
import dev.parley.cli.terminal.Notices;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.ProcessText;
import dev.parley.cli.terminal.Shell;
import dev.parley.cli.terminal.Stop;
import dev.parley.cli.terminal.Times;
import dev.parley.core.ParleyException;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The program. */
public final class Main {
  private static final String DEBUG = "PARLEY_DEBUG";
  private static final String FINDINGS = "PARLEY_MAX_FINDINGS";

  private final Shell shell;
  private final CommandRegistry registry = new CommandRegistry();
  private Set<String> ignored = Set.of();

  public Main(Shell shell) {
    this.shell = shell;
  }

  public static void main(String[] args) {
    Shell shell = Shell.ofProcess();
    int exitCode = new Main(shell).run(ProcessText.trouble(args, shell.environment()), args);
    if (exitCode != ExitCode.OK) {
      System.out.flush();
      System.err.flush();
      Stop.process(exitCode);
    }
  }

  /** Runs one command line and returns its exit code; never throws. */
  public int run(String... args) {
    return run(null, args);
  }

  /**
   * @param trouble why the process's arguments or environment can't be used; null if they can
   */
  private int run(@Nullable ParleyException trouble, String[] args) {
    Notices notices = new Notices(shell.err(), isTerminal(Devices.STDERR));
    Output out = output(null, List.of(args).contains(CommonOptions.JSON.name()));
    int exitCode;
    try {
      if (trouble != null) {
        throw trouble;
      }
      String findings = shell.variable(FINDINGS);
      if (findings != null) {
        notices.tellAtMost(IntOption.number(FINDINGS, findings, 0, Integer.MAX_VALUE));
      }
      Arguments arguments = Parser.parse(args, registry);
      out = output(arguments.value(CommonOptions.COLOR), arguments.has(CommonOptions.JSON));
      try (Invocation invocation = new Invocation(arguments, shell, out, notices, registry)) {
        exitCode = run(invocation);
      } finally {
        ignored = arguments.ignored();
      }
      out.flush();
    } catch (ClosedOutputException e) {
      return ExitCode.OK;
    } catch (InterruptedException e) {
      return ExitCode.INTERRUPTED; // a signal is ending the process
    } catch (IOException | RuntimeException | Error e) {
      exitCode = fail(e, out, notices);
    }
    notices.sumUp();
    return exitCode;
  }

  /** The accepted options that no code read, and so had no effect. */
  public Set<String> ignored() {
    return ignored;
  }

  private static int run(Invocation invocation) throws IOException, InterruptedException {
    Arguments arguments = invocation.arguments();
    Description description = arguments.command();
    if (arguments.has(CommonOptions.HELP)) {
      return Help.show(invocation, arguments.named());
    }
    if (arguments.has(CommonOptions.VERSION)) {
      return Version.show(invocation.out());
    }
    Command command = description == null ? null : invocation.commands().named(description.name());
    if (command != null) {
      arguments.check();
    }
    String hint = arguments.hint();
    if (hint != null) {
      invocation.notices().say(hint);
    }
    return runWithMounts(invocation, command == null ? new StatusCommand() : command);
  }

  /**
   * Pulls mounted files before the command and pushes to them after it. Loads no mount code for a
   * bus without mounts.
   */
  private static int runWithMounts(Invocation invocation, Command command)
      throws IOException, InterruptedException {
    if (command.makesBoards()) {
      invocation.keepBusDirForBoards();
    }
    if (command.runsAgents(invocation.arguments())) {
      invocation.makeConclaveFolder();
    }
    if (!command.keepsInStep() || !MountedBus.isFoundBy(invocation)) {
      return command.run(invocation);
    }
    try (MountSync _ = MountSync.begin(invocation)) {
      return command.run(invocation);
    }
  }

  private int fail(Throwable error, Output out, Notices notices) {
    notices.clearProgress();
    if ("1".equals(shell.variable(DEBUG))) {
      Failure.trace(error, notices);
    }
    Failure failure = Failure.of(error, Times.shownBy(out));
    failure.print(out, notices);
    return failure.exitCode();
  }

  private Output output(@Nullable String color, boolean json) {
    boolean terminal = isTerminal(Devices.STDOUT);
    boolean colored =
        switch (color == null ? "auto" : color) {
          case "always" -> true;
          case "never" -> false;
          default ->
              terminal
                  && shell.variable("NO_COLOR") == null
                  && !"dumb".equals(shell.variable("TERM"));
        };
    return new Output(shell.out(), json, colored, terminal, shell.devices());
  }

  private boolean isTerminal(int stream) {
    return shell.devices().isTerminal(stream);
  }
}
