package dev.parley.cli.runners;

import dev.parley.cli.agents.RunOptions;
import dev.parley.cli.agents.RunProgress;
import dev.parley.cli.agents.RunSetup;
import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.command.Body;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.IntOption;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Stop;
import dev.parley.core.Limits;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.filelog.git.GitExclude;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.ask.RunContext;
import dev.parley.orchestration.ask.RunLimits;
import dev.parley.orchestration.ask.RunListener;
import dev.parley.orchestration.ask.RunRecord;
import dev.parley.orchestration.git.Git;
import dev.parley.orchestration.git.Worktrees;
import dev.parley.orchestration.wave.WaveCleaning;
import dev.parley.orchestration.wave.WaveReport;
import dev.parley.orchestration.wave.WaveRunner;
import dev.parley.orchestration.wave.WaveSettings;
import dev.parley.orchestration.wave.WaveStart;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Lets agents carry out a plan, in waves of worktrees. */
public final class WavesCommand implements Command {
  /** The name that seed 000 has for it. */
  public static final String ALIAS = "parallel-run";

  public static final String NAME = "waves";

  private static final Option PLAN = Option.value("--plan", "file", "the plan; - reads stdin");
  private static final Option CONCURRENT =
      Option.value("--max-concurrent", "n", "how many tasks at the same time (3)");
  private static final Option DRY = Option.flag("--dry-run", "show the waves, and do nothing");
  private static final Option RESUME =
      Option.value("--resume", "run", "continue a run that was stopped or killed");
  private static final Option FILE_WAIT =
      Option.value("--file-wait", "time", "how long a task waits for files that others hold (1m)");
  private static final Option BASE =
      Option.value("--base-branch", "branch", "refuse to begin on another branch");
  private static final Option TREES =
      Option.value("--worktree-dir", "folder", "where worktrees are made (.worktrees)");
  private static final Option NOT_ASKED =
      Option.flag("--non-interactive", "as parallel-run has it; nothing is ever asked");
  private static final Option YES = Option.flag("--yes", "remove what was shown").letter("-y");
  private final String name;

  public WavesCommand(String name) {
    this.name = name;
  }

  @Override
  public Description description() {
    List<Option> options =
        Stream.of(
                Stream.of(PLAN, CONCURRENT, DRY, RESUME, FILE_WAIT, BASE, TREES, NOT_ASKED),
                WorkOptions.ALL.stream(),
                RunOptions.LIMITS.stream())
            .flatMap(each -> each)
            .toList();
    return Description.family(
        name,
        name.equals(NAME) ? Group.RUN : Group.HIDDEN,
        "have agents carry out a plan in waves",
        "A plan has tasks (## Task 1: title) with files and dependencies. Tasks that can be done at"
            + " the same time are a wave. Each gets a worktree and a branch in .worktrees, a"
            + " session on the bus with its files as leases, and a loop (parley loop). What passed"
            + " its gates is merged in the order of the plan, in a worktree of its own, and gated"
            + " again there; a conflict or a red gate runs the task again on what is merged by now."
            + " Your branch is fast-forwarded at the end, if it is clean and has not moved. Nothing"
            + " is ever lost: a worktree is removed only if everything in it is on a branch. After"
            + " a crash or a signal --resume goes on.",
        "run",
        List.of(
            Description.sub("run", "carry out a plan", List.of(), options),
            Description.sub(
                "status", "show how far the tasks of a run are", List.of(WaveView.RUN), List.of()),
            Description.sub(
                "watch", "the same, until the run is over", List.of(WaveView.RUN), List.of()),
            Description.sub(
                "clean",
                "show worktrees and branches that can be removed; --yes removes them",
                List.of(),
                List.of(YES))),
        List.of(
            "parley waves --plan PLAN.md --dry-run",
            "parley waves --plan PLAN.md --agent claude --max-concurrent 4",
            "parley waves --resume last",
            "parley waves status",
            "parley waves watch",
            "parley waves clean --yes"));
  }

  @Override
  public boolean keepsInStep() {
    return false;
  }

  @Override
  public boolean makesBoards() {
    return true;
  }

  @Override
  public int run(Invocation invocation) throws IOException, InterruptedException {
    return switch (invocation.arguments().subcommand()) {
      case "status" -> WaveView.once(invocation);
      case "watch" -> WaveView.watch(invocation);
      case "clean" -> clean(invocation);
      default -> carryOut(invocation);
    };
  }

  private static int carryOut(Invocation invocation) throws IOException, InterruptedException {
    Arguments arguments = invocation.arguments();
    String resumed = arguments.value(RESUME);
    var _ = arguments.has(NOT_ASKED);
    if (arguments.has(DRY)) {
      return DryRun.show(invocation, plan(invocation));
    }
    RunSetup setup = RunSetup.of(invocation);
    Git git = Git.repository(invocation.shell().folder());
    WaveReport report = attend(invocation, setup, git, resumed);
    return print(invocation.out(), report);
  }

  /** Carries out the plan with progress output. A signal stops it. */
  private static WaveReport attend(
      Invocation invocation, RunSetup setup, Git git, @Nullable String resumed)
      throws IOException, InterruptedException {
    AtomicReference<Run> running = new AtomicReference<>();
    try (RunProgress progress = RunProgress.of(invocation);
        Stop _ = Stop.onSignal(() -> stop(running.get()), ExitCode.FAILED)) {
      WaveReport report = work(invocation, setup, git, resumed, progress, running::set);
      if (!report.complete()) {
        // Printed before the signal ends the process, which waits for no more than this.
        invocation.notices().say(WaveText.goOn(report.record()));
      }
      return report;
    }
  }

  private static WaveReport work(
      Invocation invocation,
      RunSetup setup,
      Git git,
      @Nullable String resumed,
      RunListener progress,
      Consumer<Run> running)
      throws IOException, InterruptedException {
    if (resumed != null) {
      RunContext context = setup.context(progress);
      RunLimits limits = setup.limits(RunRecord.named(context.log(), resumed));
      return WaveRunner.resume(context, git, resumed, limits, running);
    }
    String plan = plan(invocation);
    WaveSettings settings = settings(invocation.arguments(), setup).withTrees(trees(setup, git));
    checkBase(invocation.arguments(), WaveStart.check(git, plan, settings.allowMain()));
    RunContext context = setup.context(progress);
    return WaveRunner.begin(context, git, plan, settings, setup.limits(), running);
  }

  /** The folder for worktrees; excluded from git if it is in the repository. */
  private static String trees(RunSetup setup, Git git) {
    String set = setup.settings().variable("PARALLEL_WORKTREE_DIR");
    String named =
        setup.invocation().arguments().value(TREES, set == null ? WaveSettings.TREES : set);
    Path folder = git.folder().resolve(named).normalize();
    if (git.folder().startsWith(folder)) {
      throw ParleyException.invalid(
          "bad-folder",
          "Worktrees can't be made in " + folder + ", in which the repository lies.",
          "Name a folder of their own: --worktree-dir.");
    }
    var _ = GitExclude.add(folder);
    return named;
  }

  private static void checkBase(Arguments arguments, WaveStart start) {
    String base = arguments.value(BASE);
    if (base != null && !base.equals(start.state().branch())) {
      throw ParleyException.refused(
          "other-branch",
          "This is the branch " + start.state().branch() + ", not " + base + ".",
          "Go there: git switch " + base + ".");
    }
  }

  private static void stop(@Nullable Run run) {
    if (run != null) {
      run.stop();
    }
  }

  private static String plan(Invocation invocation) throws IOException {
    String file = invocation.arguments().value(PLAN);
    if (file == null) {
      throw ParleyException.invalid(
          "missing-argument", "There is no plan.", "Give one: --plan <file>; or --resume <run>.");
    }
    return Body.file(invocation, Limits.DEFAULT, PLAN.name(), file);
  }

  static WaveSettings settings(Arguments arguments, RunSetup setup) {
    WorkOptions work = WorkOptions.of(arguments, setup);
    String concurrent = setup.settings().variable("PARALLEL_MAX_CONCURRENT");
    String reruns = setup.settings().variable("PARALLEL_MAX_CONFLICT_RERUNS");
    return new WaveSettings(
        work.agent(),
        work.reviewer(),
        WorkOptions.number(
            arguments,
            CONCURRENT,
            concurrent == null
                ? WaveSettings.CONCURRENT
                : IntOption.number(
                    "PARALLEL_MAX_CONCURRENT", concurrent, 1, WaveSettings.MOST_CONCURRENT)),
        reruns == null
            ? WaveSettings.RERUNS
            : IntOption.number(
                "PARALLEL_MAX_CONFLICT_RERUNS", reruns, 0, WaveSettings.MOST_CONCURRENT),
        work.iterations(),
        work.stuck(),
        work.cap(),
        work.times(),
        WorkOptions.time(arguments, FILE_WAIT, Duration.ofMinutes(1)),
        work.spec(),
        work.requireTests(),
        work.allowMain(),
        work.gates(),
        work.setUp(),
        work.tearDown());
  }

  private static int print(Output out, WaveReport report) {
    if (out.isJson()) {
      out.line(report.json());
    } else {
      WaveText.report(report).forEach(out::line);
    }
    return report.ok() ? ExitCode.OK : ExitCode.FAILED;
  }

  private static int clean(Invocation invocation) throws IOException {
    Git git = Git.repository(invocation.shell().folder());
    WaveCleaning cleaning = WaveCleaning.look(git, invocation.openedBus().log());
    boolean does = invocation.arguments().has(YES);
    Output out = invocation.out();
    if (out.isJson()) {
      List<String> kept = does ? cleaning.carryOut(git) : cleaning.staying();
      out.line(
          Json.object()
              .put("done", does)
              .put(
                  "worktrees",
                  Json.of(
                      cleaning.trees().stream()
                          .map(tree ->
                              Json.object()
                                  .put("path", tree.path().toString())
                                  .put("removable", tree.mayGo())
                                  .put("reasons", Json.ofStrings(tree.reasons()))
                                  .put("ignored", Json.ofStrings(tree.ignored()))
                                  .build())
                          .toList()))
              .put("branches", Json.ofStrings(cleaning.branches()))
              .put("kept", Json.ofStrings(kept))
              .build());
      return ExitCode.OK;
    }
    String going = does ? "going: " : "can go: ";
    for (Worktrees.Finding tree : cleaning.trees()) {
      if (tree.mayGo()) {
        out.line(going + WaveText.plain(tree.path().toString()));
        tree.ignored().forEach(file -> out.line("  with the ignored file " + WaveText.plain(file)));
      } else if (!does) {
        out.line(
            "stays: " + WaveText.plain(tree.path() + ": " + String.join(", ", tree.reasons())));
      }
    }
    cleaning.branches().forEach(branch -> out.line(going + branch));
    out.flush(); // all is shown before any of it is done
    List<String> kept = does ? cleaning.carryOut(git) : cleaning.staying();
    kept.forEach(text -> out.line("stays: " + WaveText.plain(text)));
    if (!(cleaning.trees().isEmpty() && cleaning.branches().isEmpty())) {
      out.line(does ? "Done." : "Nothing was done. To do it: parley waves clean --yes");
    }
    return ExitCode.OK;
  }
}
