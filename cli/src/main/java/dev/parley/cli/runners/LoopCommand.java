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
import dev.parley.coordination.bulletin.Bulletin;
import dev.parley.coordination.ledger.Session;
import dev.parley.core.ParleyException;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.ask.RunContext;
import dev.parley.orchestration.gate.Evidence;
import dev.parley.orchestration.git.Git;
import dev.parley.orchestration.loop.BoardMirror;
import dev.parley.orchestration.loop.BusSurroundings;
import dev.parley.orchestration.loop.Loop;
import dev.parley.orchestration.loop.LoopResult;
import dev.parley.orchestration.loop.LoopSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Has an agent try one task until its gates pass. */
public final class LoopCommand implements Command {
  /** The name that seed 000 has for it. */
  public static final String ALIAS = "ralph-run";

  public static final String NAME = "loop";

  private static final Option TASK =
      Option.value("--task", "text", "what is to be done: words, or a file with them").needed();
  private static final Option TASK_ID =
      Option.value("--task-id", "name", "the task's name, in branches and on the bus (ralph)");
  private static final Option BULLETIN =
      Option.value("--bulletin", "wave", "the bulletin that is read and posted on (the run's own)");

  private static final Option BOARD_DIR =
      Option.value("--board-dir", "folder", "a board of Conclave's that is read as well");
  private static final Option BOARD_TOPIC =
      Option.value("--board-topic", "topic", "the topic there that is posted to (none)");

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
                Stream.of(TASK, TASK_ID, BULLETIN, BOARD_DIR, BOARD_TOPIC),
                WorkOptions.ALL.stream(),
                RunOptions.LIMITS.stream())
            .flatMap(options -> options)
            .toList(),
        List.of(
            "parley loop --task \"Make the parser accept comments\" --agent claude",
            "parley loop --task TASK.md --agent codex --gate \"npm run lint\" --skip-spec"));
  }

  @Override
  public boolean keepsInStep() {
    return false;
  }

  @Override
  public int run(Invocation invocation) throws IOException, InterruptedException {
    Arguments arguments = invocation.arguments();
    RunSetup setup = RunSetup.of(invocation);
    LoopSettings settings = settings(invocation, WorkOptions.of(arguments, setup));
    Git git = Git.repository(invocation.shell().folder());
    Loop.check(git, settings.checks().allowMain());
    Finished finished = attend(invocation, setup, settings, git);
    return print(invocation.out(), finished.run(), finished.result());
  }

  /** What came of a run. */
  private record Finished(String run, LoopResult result) {}

  private static Finished attend(
      Invocation invocation, RunSetup setup, LoopSettings settings, Git git)
      throws IOException, InterruptedException {
    try (RunProgress progress = RunProgress.of(invocation)) {
      RunContext context = setup.context(progress);
      Json parameters =
          Json.object()
              .put("task", settings.task())
              .put("name", settings.name())
              .put("agent", settings.agent())
              .put("folder", git.folder().toString())
              .build();
      Run run = Run.begin(context, NAME, parameters, setup.limits());
      try (run;
          Stop _ = Stop.onSignal(run::stop, ExitCode.FAILED)) {
        String bulletin = invocation.arguments().value(BULLETIN, run.id());
        LoopResult result = loop(run, settings, bulletin, board(invocation, run, bulletin), git);
        run.end(result.outcome().word(), result.json());
        return new Finished(run.id(), result);
      }
    }
  }

  private static LoopSettings settings(Invocation invocation, WorkOptions work) throws IOException {
    Arguments arguments = invocation.arguments();
    return new LoopSettings(
        arguments.value(TASK_ID, "ralph"),
        task(invocation, arguments.required(TASK)),
        work.agent(),
        work.reviewer(),
        work.iterations(),
        work.stuck(),
        work.times(),
        new LoopSettings.Checks(work.spec(), work.requireTests(), false, work.allowMain()),
        work.gates(),
        work.cap());
  }

  private static String task(Invocation invocation, String words) throws IOException {
    try {
      Path file = invocation.shell().folder().resolve(words);
      return Files.isRegularFile(file) ? Files.readString(file) : words;
    } catch (InvalidPathException e) {
      return words;
    }
  }

  /** The board folder that was named; null if none was. */
  private static @Nullable BoardMirror board(Invocation invocation, Run run, String bulletin) {
    String folder = invocation.arguments().value(BOARD_DIR);
    String topic = invocation.arguments().value(BOARD_TOPIC);
    return folder == null
        ? null
        : new BoardMirror(
            run.context().log(),
            Bulletin.topic(bulletin),
            invocation.shell().folder().resolve(folder),
            topic == null ? null : new Topic(topic).name(),
            run::tell);
  }

  private static LoopResult loop(
      Run run, LoopSettings settings, String bulletin, @Nullable BoardMirror board, Git git)
      throws IOException, InterruptedException {
    Team team = run.context().team();
    Session session = team.join(settings.name());
    try {
      Map<String, String> variables =
          Map.of(
              "PARLEY_AGENT", session.name(),
              "PARLEY_SESSION", session.token(),
              "PARLEY_BULLETIN", bulletin);
      return Loop.run(
          run, settings, new BusSurroundings(team, session, bulletin, variables, board), git);
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
        "The task is not done: " + result.why() + ".",
        saved == null
            ? "parley runs show " + run + " --text shows what happened."
            : "The work is on the branch "
                + saved
                + "; parley runs show "
                + run
                + " --text shows what happened.");
  }
}
