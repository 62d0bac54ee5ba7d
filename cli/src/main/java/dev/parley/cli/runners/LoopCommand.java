package dev.parley.cli.runners;

import dev.parley.cli.agents.RunOptions;
import dev.parley.cli.agents.RunProgress;
import dev.parley.cli.agents.RunSetup;
import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Stop;
import dev.parley.coordination.Team;
import dev.parley.coordination.ledger.Session;
import dev.parley.core.Log;
import dev.parley.core.ParleyException;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.orchestration.ask.JoinedSession;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.ask.RunContext;
import dev.parley.orchestration.ask.RunRecord;
import dev.parley.orchestration.gate.Evidence;
import dev.parley.orchestration.git.Git;
import dev.parley.orchestration.loop.BusWorkers;
import dev.parley.orchestration.loop.Loop;
import dev.parley.orchestration.loop.LoopResult;
import dev.parley.orchestration.loop.LoopSettings;
import dev.parley.orchestration.loop.LoopTypes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Lets an agent try one task until its gates pass. */
public final class LoopCommand implements Command {
  /** The name that seed 000 has for it. */
  public static final String ALIAS = "ralph-run";

  public static final String NAME = "loop";

  private static final Option TASK =
      Option.value("--task", "text", "what is to be done: words, or a file with them");
  private static final Option RESUME =
      Option.value("--resume", "run", "continue a loop that was stopped or killed");
  private static final Option TASK_ID =
      Option.value("--task-id", "name", "the task's name, in branches and on the bus (ralph)");
  private static final Option BULLETIN =
      Option.value("--bulletin", "wave", "the bulletin that is read and posted on (the run's own)");

  private static final Option BOARD_DIR =
      Option.value("--board-dir", "folder", "a board of Conclave's that is read as well");
  private static final Option BOARD_TOPIC =
      Option.value("--board-topic", "topic", "the topic there that is posted to (none)");

  /** The outcomes of runs that can be resumed; empty if the process was killed. */
  private static final Set<String> GOING_ON = Set.of("", "stopped", "limit");

  private final String name;

  public LoopCommand(String name) {
    this.name = name;
  }

  @Override
  public Description description() {
    return new Description(
        name,
        name.equals(NAME) ? Group.RUN : Group.HIDDEN,
        "have an agent try a task until its gates pass",
        "Each iteration: the agent works; then the tests of the project run (found by its files),"
            + " an agent must say that the task is met, and further gates run. What a gate prints"
            + " is told to the agent in the next iteration. A gate's result is what the program"
            + " saw, never what an agent says, and is kept on the bus. When all pass, exactly what"
            + " they saw is committed. Otherwise the work goes to a branch wip/ralph-fail-…, and"
            + " the tree is as before. It needs a clean tree on a branch that is not main.",
        List.of(),
        Stream.of(
                Stream.of(TASK, RESUME, TASK_ID, BULLETIN, BOARD_DIR, BOARD_TOPIC),
                WorkOptions.ALL.stream(),
                RunOptions.LIMITS.stream())
            .flatMap(options -> options)
            .toList(),
        List.of(
            "parley loop --task \"Make the parser accept comments\" --agent claude",
            "parley loop --task TASK.md --agent codex --gate \"npm run lint\" --skip-spec",
            "parley loop --resume last"));
  }

  @Override
  public boolean keepsInStep() {
    return false;
  }

  @Override
  public int run(Invocation invocation) throws IOException, InterruptedException {
    RunSetup setup = RunSetup.of(invocation);
    String resumed = invocation.arguments().value(RESUME);
    if (resumed != null) {
      RunRecord before = resumable(invocation, resumed);
      LoopParameters parameters = LoopParameters.load(before.parameters());
      return attend(
          invocation,
          setup,
          parameters,
          true,
          context -> Run.resume(context, before.id(), setup.limits(before)));
    }
    LoopParameters parameters = parameters(invocation, setup);
    Loop.check(new Git(parameters.folder()), parameters.settings().checks().allowMain());
    return attend(
        invocation,
        setup,
        parameters,
        false,
        context -> Run.begin(context, NAME, parameters.save(), setup.limits()));
  }

  private static RunRecord resumable(Invocation invocation, String id) {
    Log log = invocation.openedBus().log();
    RunRecord run =
        id.equals("last")
            ? RunRecord.all(log).stream()
                .filter(each -> each.kind().equals(NAME))
                .reduce((first, second) -> second)
                .orElseGet(() -> RunRecord.named(log, id))
            : RunRecord.named(log, id);
    if (!run.kind().equals(NAME)) {
      throw ParleyException.refused(
          "other-run",
          "The run " + run.id() + " is not a loop; it is a run of kind " + run.kind() + ".",
          "parley runs list shows what there is.");
    }
    if (!GOING_ON.contains(run.outcome())) {
      throw ParleyException.refused(
          "loop-over",
          "The loop of " + run.id() + " is over: " + run.outcome() + ".",
          "Begin another: parley loop --task <text or file>.");
    }
    return run;
  }

  /** Begins or resumes the run of a loop. */
  @FunctionalInterface
  private interface Opening {
    Run open(RunContext context) throws InterruptedException;
  }

  private static int attend(
      Invocation invocation,
      RunSetup setup,
      LoopParameters parameters,
      boolean resumed,
      Opening opening)
      throws IOException, InterruptedException {
    String id;
    LoopResult result;
    try (RunProgress progress = RunProgress.of(invocation)) {
      Run run = opening.open(setup.context(progress));
      try (run;
          Stop _ = Stop.onSignal(run::stop, ExitCode.FAILED)) {
        id = run.id();
        result = loop(run, parameters, resumed);
        run.end(result.outcome().word(), result.json());
        if (run.isStopped() && !result.done()) {
          // Printed before the signal ends the process, which waits for no more than this.
          invocation.notices().say("stopped. To continue: parley loop --resume " + id);
        }
      }
    }
    return print(invocation.out(), id, result);
  }

  private static LoopParameters parameters(Invocation invocation, RunSetup setup)
      throws IOException {
    Arguments arguments = invocation.arguments();
    WorkOptions work = WorkOptions.of(arguments, setup);
    String words = arguments.value(TASK);
    if (words == null) {
      throw ParleyException.invalid(
          "missing-argument",
          "There is no task.",
          "Give one: --task <text or file>; or --resume <run>.");
    }
    if (work.agent().contains(",")) {
      throw ParleyException.invalid(
          "several-agents",
          "A loop has one agent.",
          "Name one: --agent; parley waves takes several.");
    }
    LoopSettings settings =
        new LoopSettings(
            arguments.value(TASK_ID, "ralph"),
            task(invocation, words),
            work.agent(),
            work.reviewer(),
            work.iterations(),
            work.stuck(),
            work.times(),
            new LoopSettings.Checks(work.spec(), work.requireTests(), false, work.allowMain()),
            work.gates(),
            work.cap());
    Path here = invocation.shell().folder();
    String board = arguments.value(BOARD_DIR);
    String topic = arguments.value(BOARD_TOPIC);
    return new LoopParameters(
        settings,
        Git.repository(here).folder(),
        arguments.value(BULLETIN, ""),
        board == null ? null : here.resolve(board).normalize(),
        topic == null ? null : new Topic(topic).name());
  }

  private static String task(Invocation invocation, String words) throws IOException {
    try {
      Path file = invocation.shell().folder().resolve(words);
      return Files.isRegularFile(file) ? Files.readString(file) : words;
    } catch (InvalidPathException e) {
      return words;
    }
  }

  private static LoopResult loop(Run run, LoopParameters parameters, boolean resumed)
      throws IOException, InterruptedException {
    Team team = run.context().team();
    LoopSettings settings = parameters.settings();
    Git git = new Git(parameters.folder());
    if (resumed) {
      JoinedSession.endAll(run, LoopTypes.SESSION);
    }
    Session session = JoinedSession.of(run, settings.name(), LoopTypes.SESSION);
    try {
      String bulletin = parameters.bulletin(run);
      Map<String, String> variables =
          Map.of(
              "PARLEY_AGENT", session.name(),
              "PARLEY_SESSION", session.token(),
              "PARLEY_BULLETIN", bulletin);
      BusWorkers others =
          new BusWorkers(team, session, bulletin, variables, parameters.mirror(run));
      return resumed
          ? Loop.resume(run, settings, others, git)
          : Loop.run(run, settings, others, git);
    } finally {
      team.sessions().leave(session, "its loop is over");
    }
  }

  private static int print(Output out, String run, LoopResult result) {
    if (out.isJson()) {
      out.line(Json.object().put("run", run).put("result", result.json()).build());
      return result.done() ? ExitCode.OK : ExitCode.FAILED;
    }
    for (Evidence evidence : result.evidence()) {
      out.line(Printable.text(evidence.summary()));
    }
    result.remarks().forEach(text -> out.line(Printable.text(text)));
    if (result.done()) {
      out.line("done in " + result.iterations() + " iterations: " + result.commit());
      return ExitCode.OK;
    }
    String saved = result.saved();
    throw new ParleyException(
        ParleyException.Kind.FAILED,
        "loop-" + result.outcome().word(),
        "The task is not done: " + result.why().replaceFirst("\\.$", "") + ".",
        (saved == null ? "" : "The work is on the branch " + saved + ". ")
            + (GOING_ON.contains(result.outcome().word())
                ? "To continue: parley loop --resume " + run + "."
                : "parley runs show " + run + " --text shows what happened."));
  }
}
