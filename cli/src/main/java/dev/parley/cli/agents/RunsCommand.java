package dev.parley.cli.agents;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Table;
import dev.parley.cli.terminal.Times;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.core.store.Contents;
import dev.parley.core.time.Timestamps;
import dev.parley.filelog.FileLog;
import dev.parley.orchestration.ask.Answer;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.ask.RunContext;
import dev.parley.orchestration.ask.RunRecord;
import dev.parley.orchestration.ask.RunTypes;
import dev.parley.orchestration.ask.Usage;
import dev.parley.orchestration.consensus.Consensus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Lists, shows, stops and resumes runs. */
public final class RunsCommand implements Command {
  private static final Parameter ACTION =
      Parameter.optional("action", "what to do; without one, runs are listed")
          .choices("list", "show", "stop", "resume");
  private static final Parameter RUN =
      Parameter.optional("run", "which run: its id, the beginning of it, or last");
  private static final Option TEXT = Option.flag("--text", "show: prompts and answers as well");
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int LOOK_MILLIS = 50;

  /** The kinds whose own command has an option to resume. */
  private static final Set<String> OWN_RESUME = Set.of("loop", "waves");

  @Override
  public Description description() {
    return new Description(
        "runs",
        Group.LOOK_BACK,
        "show, stop and resume runs of agents",
        "Every command that asks agents is a run. Each ask is on the bus with its prompt, answer,"
            + " time and cost. A run whose process was killed is shown as interrupted; resume"
            + " continues it and asks only what has no answer yet. stop ends its asks, or the"
            + " processes that a killed run left behind.",
        List.of(ACTION, RUN),
        Stream.concat(Stream.of(TEXT), RunOptions.LIMITS.stream()).toList(),
        List.of(
            "parley runs",
            "parley runs show last --text",
            "parley runs stop last",
            "parley runs resume last"));
  }

  @Override
  public boolean runsAgents(Arguments arguments) {
    return "resume".equals(arguments.word(ACTION));
  }

  @Override
  public int run(Invocation invocation) throws InterruptedException {
    String action = invocation.arguments().word(ACTION);
    if (action == null || action.equals("list")) {
      try (FileLog log = invocation.busToLookAt().openLog()) {
        list(invocation.out(), RunRecord.all(log));
      }
      return ExitCode.OK;
    }
    String id = named(invocation.arguments());
    return switch (action) {
      case "show" -> {
        try (FileLog log = invocation.busToLookAt().openLog()) {
          show(invocation, RunRecord.named(log, id));
        }
        yield ExitCode.OK;
      }
      case "stop" -> stop(invocation, id);
      default -> resume(invocation, id);
    };
  }

  private static String named(Arguments arguments) {
    String id = arguments.word(RUN);
    if (id == null) {
      throw ParleyException.invalid(
          "missing-argument", "The run is missing.", "parley runs lists them; last is the newest.");
    }
    return id;
  }

  /** The state of a run for people. */
  private static String state(RunRecord run) {
    if (run.ended() != null) {
      return run.outcome();
    }
    if (run.isStopping()) {
      return run.isAlive() ? "stopping" : "stopped";
    }
    return run.isAlive() ? "running" : "interrupted";
  }

  private static void list(Output out, List<RunRecord> runs) {
    if (out.isJson()) {
      runs.forEach(run -> out.line(json(run).build()));
      return;
    }
    if (runs.isEmpty()) {
      out.line("No runs yet. parley ask <agent> <prompt> makes one.");
      return;
    }
    Times times = Times.system();
    Table table = new Table();
    table.row("RUN", "KIND", "STATE", "ASKS", "TOKENS", "COST", "BEGUN");
    for (RunRecord run : runs) {
      Usage usage = run.usage();
      table.row(
          run.id(),
          Printable.text(run.kind()),
          Printable.text(state(run)),
          Integer.toString(run.asks().size()),
          usage.tokens() < 0 ? "-" : Long.toString(usage.tokens()),
          usage.costMicros() < 0 ? "-" : "$" + AnswerText.dollars(usage.costMicros()),
          times.ago(run.started()));
    }
    table.print(out);
  }

  private static Json.ObjectBuilder json(RunRecord run) {
    Instant ended = run.ended();
    Json.ObjectBuilder fields =
        Json.object()
            .put("run", run.id())
            .put("kind", run.kind())
            .put("state", state(run))
            .put("folder", run.folder().toString())
            .put("asks", run.asks().size())
            .put("begun", Timestamps.format(run.started()))
            .put("ended", ended == null ? null : Timestamps.format(ended));
    return AnswerText.usage(fields, run.usage());
  }

  private static void show(Invocation invocation, RunRecord run) {
    Output out = invocation.out();
    boolean text = invocation.arguments().has(TEXT);
    Contents contents = invocation.busToLookAt().contents();
    if (out.isJson()) {
      List<Json> asks = run.asks().stream().map(ask -> json(ask, contents, text)).toList();
      out.line(json(run).put("askList", Json.of(asks)).put("result", run.result()).build());
      return;
    }
    out.line(run.id() + "  " + Printable.text(run.kind()) + "  " + Printable.text(state(run)));
    out.line(Printable.text(run.folder().toString()));
    Table table = new Table();
    table.row("ASK", "AGENT", "STAGE", "STATUS", "SPENT");
    for (RunRecord.Entry ask : run.asks()) {
      table.row(
          Integer.toString(ask.number()),
          Printable.text(ask.agent()),
          Printable.text(ask.stage()),
          Printable.text(status(ask) + (ask.error().isEmpty() ? "" : ": " + ask.error())),
          AnswerText.spent(ask.duration().toMillis(), ask.usage()));
    }
    if (!run.asks().isEmpty()) {
      table.print(out);
    }
    if (text) {
      run.asks().forEach(ask -> print(out, ask, contents));
    }
  }

  private static void print(Output out, RunRecord.Entry ask, Contents contents) {
    out.line("");
    out.line("--- ask " + ask.number() + ": what " + Printable.text(ask.agent()) + " was asked");
    AnswerText.print(out, AskCommand.text(contents, ask.prompt()));
    if (!ask.answer().isEmpty()) {
      out.line("--- ask " + ask.number() + ": what " + Printable.text(ask.agent()) + " said");
      AnswerText.print(out, RunRecord.answer(ask, contents).text());
    }
  }

  private static String status(RunRecord.Entry ask) {
    Answer.Status status = ask.status();
    return status == null ? "no answer" : AnswerText.status(status).replace('_', ' ');
  }

  private static Json json(RunRecord.Entry ask, Contents contents, boolean text) {
    Answer.Status status = ask.status();
    Json.ObjectBuilder fields =
        Json.object()
            .put("number", ask.number())
            .put("agent", ask.agent())
            .put("stage", ask.stage())
            .put("status", status == null ? null : AnswerText.status(status))
            .put("prompt", ask.prompt())
            .put("answer", ask.answer())
            .put("error", ask.error())
            .put("exitCode", ask.exitCode())
            .put("millis", ask.duration().toMillis())
            .put("attempts", ask.attempts());
    if (text) {
      fields.put("promptText", AskCommand.text(contents, ask.prompt()));
      fields.put("answerText", RunRecord.answer(ask, contents).text());
    }
    return AnswerText.usage(fields, ask.usage()).build();
  }

  private static int stop(Invocation invocation, String id) throws InterruptedException {
    FileLog log = invocation.openedBus().log();
    RunRecord run = RunRecord.named(log, id);
    if (run.ended() != null) {
      answer(invocation.out(), run, "over already: " + run.outcome(), state(run));
      return ExitCode.OK;
    }
    String agent = invocation.agent();
    Message message =
        Message.builder(agent == null ? "orchestrator" : agent, RunTypes.STOP)
            .payload(Json.object().put("reason", "parley runs stop").build())
            .run(run.id())
            .build();
    var _ = log.append(new Topic("runs." + run.id()), message);
    long start = System.nanoTime();
    while (run.isAlive() && System.nanoTime() - start < PATIENCE.toNanos()) {
      Thread.sleep(LOOK_MILLIS);
    }
    int left = run.isAlive() ? 0 : Run.endLeftovers(run);
    if (run.isAlive()) {
      throw new ParleyException(
          ParleyException.Kind.FAILED,
          "still-running",
          "The run " + run.id() + " was told to stop and goes on.",
          "Look at it with parley runs show " + run.id() + ".");
    }
    answer(
        invocation.out(),
        run,
        "stopped" + (left == 0 ? "" : "; " + left + " processes it had left were ended"),
        "stopped");
    return ExitCode.OK;
  }

  private static void answer(Output out, RunRecord run, String text, String state) {
    if (out.isJson()) {
      out.line(Json.object().put("run", run.id()).put("state", state).build());
    } else {
      out.line(run.id() + ": " + Printable.text(text));
    }
  }

  private static int resume(Invocation invocation, String id) throws InterruptedException {
    RunSetup setup = RunSetup.of(invocation);
    RunRecord run = RunRecord.named(invocation.openedBus().log(), id);
    Resumption resumption = Resumption.of(run.kind());
    if (resumption == null) {
      throw ParleyException.refused(
          "not-resumable",
          "This command does not resume runs of kind " + run.kind() + ".",
          OWN_RESUME.contains(run.kind())
              ? "To continue: parley " + run.kind() + " --resume " + run.id() + "."
              : "Begin it again, or see parley " + run.kind() + " --help.");
    }
    try (RunProgress progress = RunProgress.of(invocation)) {
      RunContext context = setup.context(progress, run.sender());
      return resumption.go(
          setup, Run.resume(context, run.id(), setup.limits(run)), run.parameters(), progress);
    }
  }

  /** Resumes a kind of run. */
  @FunctionalInterface
  interface Resumption {
    int go(RunSetup setup, Run run, Json parameters, RunProgress progress)
        throws InterruptedException;

    static @Nullable Resumption of(String kind) {
      return switch (kind) {
        case AskCommand.KIND -> AskCommand::ask;
        case BoardRun.KIND -> BoardRun::resume;
        case Consensus.KIND -> ConsensusRun::go;
        default -> null;
      };
    }
  }
}
