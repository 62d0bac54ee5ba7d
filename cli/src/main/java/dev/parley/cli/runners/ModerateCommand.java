package dev.parley.cli.runners;

import dev.parley.cli.agents.RunOptions;
import dev.parley.cli.agents.RunProgress;
import dev.parley.cli.agents.RunSetup;
import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.Body;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.command.Question;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Stop;
import dev.parley.core.Limits;
import dev.parley.core.Log;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.ask.RunContext;
import dev.parley.orchestration.ask.RunLimits;
import dev.parley.orchestration.ask.RunRecord;
import dev.parley.orchestration.git.Git;
import dev.parley.orchestration.moderate.ModeratePrompts;
import dev.parley.orchestration.moderate.ModerateSettings;
import dev.parley.orchestration.moderate.ProjectPhase;
import dev.parley.orchestration.moderate.ProjectRecord;
import dev.parley.orchestration.moderate.ProjectReport;
import dev.parley.orchestration.moderate.ProjectRunner;
import dev.parley.orchestration.moderate.TaskConfirmation;
import dev.parley.orchestration.moderate.answer.ProjectTask;
import dev.parley.orchestration.settings.SettingsTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Lets a moderator and a tech lead carry out a project. */
public final class ModerateCommand implements Command {
  public static final String NAME = "moderate";

  private static final Option REQUIREMENTS =
      Option.value("--requirements", "file", "what is wanted; - reads stdin, and needs -y");
  private static final Option TARGET =
      Option.value("--target", "folder", "the repository to work on (the current folder)");
  private static final Option YES =
      Option.flag("--yes", "carry the tasks out without being asked").letter("-y");
  private static final Option RESUME =
      Option.value(
          "--resume", "project", "continue one that was stopped, was killed, or has failed");
  private static final Option DRY =
      Option.flag("--dry-run", "show the prompts and how much is asked at most, and do nothing");
  private static final Option TASKS =
      Option.value("--max-tasks", "n", "how many tasks there may be (10)");
  private static final Option REVIEWS =
      Option.value("--max-reviews", "n", "how often a task may be submitted (3)");
  private static final Option RESPOND =
      Option.value(
          "--respond-within", "time", "how long an agent may take to answer a message (30m)");
  private static final Option SKIP =
      Option.flag("--skip-improvement", "look for no improvement at the end");
  private static final Option GITHUB =
      Option.flag("--gh", "make pull requests on GitHub as well, by the program gh");
  private static final Parameter PROJECT =
      Parameter.optional("project", "which one: its name, the beginning of it, or last (last)");

  @Override
  public Description description() {
    List<Option> options =
        Stream.of(
                Stream.of(
                    REQUIREMENTS, TARGET, YES, RESUME, DRY, TASKS, REVIEWS, RESPOND, SKIP, GITHUB),
                WorkOptions.MODERATED.stream(),
                RunOptions.LIMITS.stream())
            .flatMap(each -> each)
            .toList();
    return Description.family(
        NAME,
        Group.RUN,
        "have a moderator and a tech lead carry out requirements",
        "The reviewer splits the requirements into tasks, which you confirm. The agent does one"
            + " after the other, each in a worktree and on a branch of its own (parley loop), and"
            + " submits it as a pull request, which is a record on the bus. The moderator runs the"
            + " tests in a clean checkout, and has the reviewer give points for five criteria and"
            + " say what is wrong. 80 of 100 points with nothing blocking is approved; otherwise"
            + " the agent gets the feedback and submits again, three times at most. What is"
            + " approved goes to a branch, and the next task begins on it. At the end one"
            + " improvement is looked for, and your branch is fast-forwarded if it is clean and has"
            + " not moved. Every message is on the bus: parley flow. It exits with 0 if all tasks"
            + " were completed, 1 if not, 3 if you said no.",
        "run",
        List.of(
            Description.sub("run", "carry out requirements", List.of(), options),
            Description.sub("status", "show how far a project is", List.of(PROJECT), List.of())),
        List.of(
            "parley moderate --requirements REQUIREMENTS.md --dry-run",
            "parley moderate --requirements REQUIREMENTS.md --agent claude --reviewer codex",
            "parley moderate --requirements - --target ../shop -y",
            "parley moderate --resume last",
            "parley moderate status"));
  }

  @Override
  public boolean keepsInStep() {
    return false;
  }

  @Override
  public int run(Invocation invocation) throws IOException, InterruptedException {
    if (invocation.arguments().subcommand().equals("status")) {
      return status(invocation);
    }
    String target = invocation.arguments().value(TARGET);
    if (target == null) {
      return carryOut(invocation, invocation);
    }
    Path folder = invocation.path(TARGET.name(), target);
    if (!Files.isDirectory(folder)) {
      throw ParleyException.invalid(
          "bad-path", "The target " + target + " is not a folder.", "Name a repository's folder.");
    }
    try (Invocation there = invocation.at(folder.toAbsolutePath().normalize())) {
      return carryOut(invocation, there);
    }
  }

  private static int carryOut(Invocation invocation, Invocation there)
      throws IOException, InterruptedException {
    Arguments arguments = invocation.arguments();
    String resumed = arguments.value(RESUME);
    if (arguments.has(DRY)) {
      return dryRun(invocation, there);
    }
    RunSetup setup = RunSetup.of(there);
    Git git = Git.repository(there.shell().folder());
    return attend(invocation, setup, git, resumed);
  }

  /** Carries out the project with progress output. A signal stops it, and its state is printed. */
  private static int attend(
      Invocation invocation, RunSetup setup, Git git, @Nullable String resumed)
      throws IOException, InterruptedException {
    checkConfirmation(invocation, resumed);
    AtomicReference<Run> running = new AtomicReference<>();
    try (Stop _ = Stop.onSignal(() -> stop(running.get()), ExitCode.FAILED)) {
      ProjectReport report;
      try (RunProgress progress = RunProgress.of(invocation)) {
        report = carryOut(invocation, setup, git, resumed, progress, running::set);
      }
      int exitCode = print(invocation.out(), report);
      invocation.out().flush();
      return exitCode;
    }
  }

  private static ProjectReport carryOut(
      Invocation invocation,
      RunSetup setup,
      Git git,
      @Nullable String resumed,
      RunProgress progress,
      Consumer<Run> began)
      throws IOException, InterruptedException {
    TaskConfirmation confirmation = tasks -> confirms(invocation, progress, tasks);
    if (resumed != null) {
      RunContext context = setup.context(progress);
      RunLimits limits = setup.limits(RunRecord.named(context.log(), resumed));
      return ProjectRunner.resume(context, git, resumed, limits, confirmation, began);
    }
    String requirements = requirements(invocation);
    ModerateSettings settings = settings(invocation.arguments(), setup);
    ProjectRunner.check(git, requirements, settings.allowMain());
    RunContext context = setup.context(progress);
    return ProjectRunner.begin(
        context, git, requirements, settings, setup.limits(), confirmation, began);
  }

  private static void stop(@Nullable Run run) {
    if (run != null) {
      run.stop();
    }
  }

  /** Checks, before any agent is asked, that somebody can confirm. */
  private static void checkConfirmation(Invocation invocation, @Nullable String resumed) {
    boolean yes = invocation.arguments().has(YES);
    if (resumed != null) {
      invocation.arguments().refuseOthers(RESUME.name());
    }
    boolean stdin = "-".equals(invocation.arguments().value(REQUIREMENTS));
    if (!yes && (stdin || !Question.canBeAsked(invocation))) {
      throw ParleyException.refused(
          "nobody-to-ask",
          stdin
              ? "The requirements come from stdin, so nobody can confirm the tasks there."
              : "There is no terminal to confirm the tasks on, so nothing was begun.",
          "To carry them out without asking: add -y");
    }
  }

  private static boolean confirms(
      Invocation invocation, RunProgress progress, List<ProjectTask> tasks) {
    progress.rest();
    ModerateText.tasks(tasks).forEach(invocation.notices()::line);
    try {
      return invocation.arguments().has(YES)
          || Question.isYes(invocation, "Proceed with execution? (yes/no)");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String requirements(Invocation invocation) throws IOException {
    String file = invocation.arguments().value(REQUIREMENTS);
    if (file == null) {
      throw ParleyException.invalid(
          "missing-argument",
          "There are no requirements.",
          "Give some: --requirements <file>; or --resume <project>.");
    }
    return Body.file(invocation, Limits.DEFAULT, REQUIREMENTS.name(), file);
  }

  private static ModerateSettings settings(Arguments arguments, RunSetup setup) {
    WorkOptions work = WorkOptions.of(arguments, setup);
    if (work.agent().contains(",")) {
      throw ParleyException.invalid(
          "one-agent", "One agent does the tasks of a project.", "Name one: --agent <agent>.");
    }
    SettingsTable set = setup.settings().section("moderate");
    long reviews =
        whole(set, "max_reviews", ModerateSettings.MOST_REVIEWS, ModerateSettings.REVIEWS);
    long tasks = whole(set, "max_tasks", ModerateSettings.MOST_TASKS, ModerateSettings.TASKS);
    Duration respond =
        Objects.requireNonNullElse(
            set.duration("respond_within", RunLimits.MOST.ask()), ModerateSettings.RESPOND);
    boolean improve = !Boolean.FALSE.equals(set.flag("improvement"));
    boolean github = Boolean.TRUE.equals(set.flag("gh"));
    set.end();
    return new ModerateSettings(
        work.agent(),
        work.reviewer(),
        work.iterations(),
        work.stuck(),
        work.cap(),
        WorkOptions.number(arguments, REVIEWS, (int) reviews),
        WorkOptions.number(arguments, TASKS, (int) tasks),
        work.times(),
        WorkOptions.time(arguments, RESPOND, respond),
        work.gates(),
        work.setUp(),
        work.tearDown(),
        work.allowMain(),
        !arguments.has(SKIP) && improve,
        arguments.has(GITHUB) || github);
  }

  private static long whole(SettingsTable set, String name, int most, int otherwise) {
    return Objects.requireNonNullElse(set.whole(name, 1, most), (long) otherwise);
  }

  private static int dryRun(Invocation invocation, Invocation there) throws IOException {
    RunSetup setup = RunSetup.of(there);
    String requirements = requirements(invocation);
    ModerateSettings settings = settings(invocation.arguments(), setup);
    var _ = invocation.arguments().has(YES);
    Output out = invocation.out();
    if (out.isJson()) {
      out.line(
          Json.object()
              .put("agent", settings.agent())
              .put("reviewer", settings.reviewer())
              .put("mostTasks", settings.tasks())
              .put("mostReviews", settings.reviews())
              .put("mostAsks", Math.min(settings.mostAsks(), setup.limits().asks()))
              .put("mostCostMicros", setup.limits().costMicros())
              .put("prompt", ModeratePrompts.decompose(requirements, settings.tasks(), 1))
              .build());
    } else {
      ModerateText.plan(requirements, settings, setup.limits()).forEach(out::line);
    }
    return ExitCode.OK;
  }

  private static int print(Output out, ProjectReport report) {
    if (out.isJson()) {
      out.line(report.json());
    } else {
      ModerateText.report(report).forEach(out::line);
    }
    if (report.ok()) {
      return ExitCode.OK;
    }
    return report.record().phase() == ProjectPhase.CANCELLED ? ExitCode.REFUSED : ExitCode.FAILED;
  }

  private static int status(Invocation invocation) {
    Log log = invocation.openedBus().log();
    String word = invocation.arguments().word(PROJECT);
    List<RunRecord> runs =
        RunRecord.all(log).stream().filter(run -> run.kind().equals(ProjectRunner.KIND)).toList();
    if (runs.isEmpty()) {
      throw ParleyException.refused(
          "no-such-run",
          "There are no moderated projects yet.",
          "Begin one: parley moderate --requirements <file>.");
    }
    RunRecord run =
        word == null || word.equals("last") ? runs.getLast() : RunRecord.named(log, word);
    ProjectRecord record = ProjectRecord.of(log, run);
    String state =
        run.isAlive() ? "running" : run.outcome().isEmpty() ? "interrupted" : run.outcome();
    Output out = invocation.out();
    if (out.isJson()) {
      out.line(ProjectReport.json(record).put("state", state).build());
    } else {
      ModerateText.status(record, state).forEach(out::line);
    }
    return ExitCode.OK;
  }
}
