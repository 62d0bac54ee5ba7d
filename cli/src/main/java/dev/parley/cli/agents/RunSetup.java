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
import dev.parley.orchestration.settings.Settings;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a command that asks agents works with: what is set, and the bus that its runs are on.
 *
 * @param settings of the folder that the command was given in
 * @param limits of its runs: those that were typed, else those that are set
 */
public record RunSetup(Invocation invocation, Settings settings, RunLimits limits) {
  /** Who speaks in a run unless somebody says. */
  private static final String SENDER = "orchestrator";

  /** Reads what is set, and tells of files of the repository that do not count. */
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

  /** The bus and all else that a run needs. */
  public RunContext context(RunListener listener) {
    return context(listener, SENDER);
  }

  /**
   * The same.
   *
   * @param usual who speaks in the run if the caller does not say
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

  /** Beside the bus, where a repository has it; a bus elsewhere serves many folders. */
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

  /** What a run does: it answers the exit code. */
  @FunctionalInterface
  public interface Work {
    int run(Run run) throws InterruptedException;
  }

  /** Does the work of a run; a signal stops it, and then it can be resumed. */
  static int attend(RunSetup setup, Run run, Work work) throws InterruptedException {
    Invocation invocation = setup.invocation;
    try (Stop _ = Stop.onSignal(run::stop, ExitCode.FAILED)) {
      try (run) {
        return work.run(run);
      } catch (ParleyException e) {
        if (run.isStopped()) {
          invocation.notices().say("stopped. Go on with it: parley runs resume " + run.id());
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
