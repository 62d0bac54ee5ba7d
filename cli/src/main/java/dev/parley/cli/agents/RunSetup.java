package dev.parley.cli.agents;

import dev.parley.cli.command.Invocation;
import dev.parley.cli.command.OpenedBus;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Stop;
import dev.parley.cli.terminal.UserLocale;
import dev.parley.core.AgentName;
import dev.parley.core.ParleyException;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.git.GitExclude;
import dev.parley.filelog.trust.TrustedMount;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.ask.RunContext;
import dev.parley.orchestration.ask.RunLimits;
import dev.parley.orchestration.ask.RunListener;
import dev.parley.orchestration.ask.RunRecord;
import dev.parley.orchestration.settings.Settings;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The settings and the bus of a command that asks agents.
 *
 * @param settings of the folder in which the command was given
 * @param limits of its runs: the options', else the settings'
 */
public record RunSetup(Invocation invocation, Settings settings, RunLimits limits) {
  /** The default sender in a run. */
  private static final String SENDER = "orchestrator";

  /** Reads the settings, and reports files of the repository that do not count. */
  public static RunSetup of(Invocation invocation) {
    Map<String, String> environment = new HashMap<>(invocation.shell().environment());
    UserLocale.restore(environment);
    Settings settings = Settings.load(invocation.shell().folder(), environment);
    for (Path file : settings.untrusted()) {
      invocation.notices().say(file + " is not obeyed until you accept it: parley trust");
    }
    return new RunSetup(
        invocation, settings, RunOptions.limits(invocation.arguments(), settings.limits()));
  }

  /** The limits of a run that is resumed: those it had, unless options change them. */
  public RunLimits limits(RunRecord before) {
    return RunOptions.limits(
        invocation.arguments(), Objects.requireNonNullElse(before.limits(), settings.limits()));
  }

  /** The bus and everything else that a run needs. */
  public RunContext context(RunListener listener) {
    return context(listener, SENDER);
  }

  /**
   * The context with another default sender.
   *
   * @param usual the sender if the caller does not name itself
   */
  RunContext context(RunListener listener, String usual) {
    OpenedBus opened = invocation.openedBus();
    Path runs = runs(opened.folder());
    var _ = GitExclude.add(runs);
    String agent = invocation.agent();
    return new RunContext(
        opened.log(),
        opened.folder().contents(),
        opened.team(),
        opened.folder().path(),
        runs,
        journal(opened.folder()),
        settings.agents(),
        settings.environment(),
        agent == null ? usual : new AgentName(agent).name(),
        listener);
  }

  /** The folder for runs: beside the bus in a repository. A bus elsewhere serves many folders. */
  private Path runs(BusFolder bus) {
    String named = settings.variable("RUNS_DIR");
    Path folder = invocation.shell().folder();
    if (named != null) {
      return folder.resolve(named).normalize();
    }
    boolean usual = ".parley".equals(String.valueOf(bus.path().getFileName()));
    Path home = usual ? Objects.requireNonNullElse(bus.path().getParent(), folder) : folder;
    return home.resolve("runs");
  }

  private static @Nullable Path journal(BusFolder bus) {
    for (TrustedMount mount : bus.mounts()) {
      if (mount.dialect().equals("markdown")) {
        return Path.of(mount.path());
      }
    }
    return null;
  }

  /** The work of a run; returns the exit code. */
  @FunctionalInterface
  public interface Work {
    int run(Run run) throws InterruptedException;
  }

  /** Does a run's work. A signal stops the run, which can be resumed later. */
  static int attend(RunSetup setup, Run run, Work work) throws InterruptedException {
    Invocation invocation = setup.invocation;
    try (Stop _ = Stop.onSignal(run::stop, ExitCode.FAILED)) {
      try (run) {
        return work.run(run);
      } catch (ParleyException e) {
        if (run.isStopped()) {
          invocation.notices().say("stopped. To continue: parley runs resume " + run.id());
        }
        throw e;
      } finally {
        if (run.isStopped()) {
          invocation.removeConclaveFolder(); // a signal ends the process before all is closed
        }
      }
    }
  }
}
