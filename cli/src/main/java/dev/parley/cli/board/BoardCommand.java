package dev.parley.cli.board;

import dev.parley.cli.agents.BoardRun;
import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.Body;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.command.UniquePrefix;
import dev.parley.cli.team.CommandContext;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Times;
import dev.parley.coordination.board.Agenda;
import dev.parley.coordination.board.BoardSession;
import dev.parley.coordination.board.ReachedPhase;
import dev.parley.coordination.mail.DueWork;
import dev.parley.coordination.work.BoardReader;
import dev.parley.coordination.work.BoardService;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Sessions in which a board deliberates and votes. */
public final class BoardCommand implements Command {
  private static final Parameter SESSION =
      Parameter.required("session", "the board session, such as board-1");
  private static final Parameter CHECKPOINT =
      Parameter.required("checkpoint", "what to decide, such as EVALUATE_PLAN");
  private static final Parameter CONDITION =
      Parameter.required("condition", "the condition, such as board-1.1");

  @Override
  public Description description() {
    return Description.family(
        "board",
        Group.COORDINATE,
        "hold a board session: assess, discuss, vote",
        "A session has five phases: ASSESS (each elector alone), DISCUSS (in rounds), VOTE, RESOLVE"
            + " (the verdict is known) and COMPLETE. A phase ends when all electors have answered,"
            + " when its deadline passes, or when the agent that opened the session runs advance. A"
            + " director is an agent: --as CSO. Until the phase ends you may assess or vote again;"
            + " the last answer counts. Commands do not show blind assessments before the phase"
            + " ends, but the log itself is plain text.",
        "list",
        List.of(
            Description.sub("list", "list sessions", List.of(), List.of(BoardOptions.OPEN)),
            Description.sub("open", "open a session", List.of(CHECKPOINT), BoardOptions.OF_OPEN),
            Description.sub(
                    "quick",
                    "open a session with assessments only",
                    List.of(),
                    BoardOptions.OF_QUICK)
                .saying(
                    "With --run, agents that Parley starts as programs assess, and the command"
                        + " prints the verdict: see parley board meeting --help."),
            Description.sub(
                    "meeting",
                    "hold a whole session with agents that Parley starts",
                    List.of(CHECKPOINT),
                    BoardOptions.OF_MEETING)
                .saying(
                    "Opens a session and asks its directors, who assess in parallel and blind,"
                        + " discuss in rounds, and vote. The ledger decides phases and verdict. A"
                        + " director without a program takes part with ordinary commands; the"
                        + " meeting waits for it until the phase ends (--deadline, 15m). If an"
                        + " answer cannot be parsed, it is requested once more; after that its"
                        + " director counts as missing. Each director sees the conditions it made"
                        + " in earlier sessions. To continue a meeting that was killed: parley runs"
                        + " resume."),
            Description.sub(
                "assess", "submit your assessment", List.of(SESSION), BoardOptions.OF_ASSESS),
            Description.sub(
                "discuss",
                "add a remark to the discussion",
                List.of(SESSION),
                BoardOptions.OF_DISCUSS),
            Description.sub("vote", "cast your vote", List.of(SESSION), BoardOptions.OF_VOTE),
            Description.sub(
                "advance",
                "end the phase (only for the agent that opened the session)",
                List.of(SESSION),
                List.of()),
            Description.sub(
                "resolve",
                "show the verdict, its conditions and the dissent",
                List.of(SESSION),
                List.of(BoardOptions.MARKDOWN, BoardOptions.WAIT)),
            Description.sub(
                "read",
                "show the assessments and the discussion",
                List.of(SESSION),
                List.of(BoardOptions.FOR)),
            Description.sub(
                "show", "show the whole session", List.of(SESSION), List.of(BoardOptions.WAIT)),
            Description.sub(
                    "check",
                    "mark a condition as met",
                    List.of(SESSION, CONDITION),
                    List.of(BoardOptions.NOTE))
                .saying(
                    "Conditions that are not met are carried over to later sessions, and are"
                        + " checked there: name a session that is still open.")),
        List.of(
            "parley board open EVALUATE_PLAN --proposal plan.md --blind --deadline 30m",
            "parley board assess board-1 --as CSO --verdict CONCERNS --score 6 --concern \"no"
                + " TLS\"",
            "parley board discuss board-1 --as CSO --to CA --kind CHALLENGE --body \"Why no TLS?\"",
            "parley board read board-1 --for CA",
            "parley board vote board-1 --as CSO --verdict APPROVE --confidence 0.8 --condition TLS",
            "parley board resolve board-1 --wait 10m --json",
            "parley board quick --proposal - --electorate alice,bob,carol",
            "parley board meeting EVALUATE_PLAN --proposal plan.md --directors CA=claude,CSO=codex",
            "parley board meeting PRE_LAUNCH --proposal - --agents claude,codex --stakes auto",
            "parley board quick --run --proposal plan.md --agents claude,codex,gemini",
            "parley board check board-2 board-1.1 --as CSO --note \"TLS is on\""));
  }

  @Override
  public boolean runsAgents(Arguments arguments) {
    return arguments.subcommand().equals("meeting")
        || (arguments.subcommand().equals("quick") && arguments.has(BoardOptions.RUN));
  }

  @Override
  public int run(Invocation invocation) throws IOException, InterruptedException {
    Arguments arguments = invocation.arguments();
    Output out = invocation.out();
    String action = arguments.subcommand();
    CommandContext context = CommandContext.open(invocation);
    BoardReader reader = context.team().boards();
    if (action.equals("meeting")) {
      return meeting(invocation, context, Agenda.of(arguments.required(CHECKPOINT)));
    }
    if (action.equals("quick") && arguments.has(BoardOptions.RUN)) {
      return meeting(invocation, context, Agenda.quickReview());
    }
    switch (action) {
      case "list" -> {
        context.catchUp();
        BoardText.list(out, meetings(reader, arguments), Times.of(context.team().ledger()));
      }
      case "read" -> {
        BoardSession meeting = reader.meeting(session(context, invocation));
        BoardText.discussion(out, reader, meeting, arguments.value(BoardOptions.FOR));
      }
      case "show" -> {
        context.catchUp();
        boolean waited = waited(invocation, context);
        BoardSession meeting = reader.meeting(session(context, invocation));
        BoardText.whole(out, reader, meeting, Times.of(context.team().ledger()));
        return waited ? ExitCode.OK : ExitCode.TIMED_OUT;
      }
      case "resolve" -> resolve(invocation, context, reader);
      case "check" -> check(invocation, context);
      default -> {
        standing(invocation, context, action);
        // The caller that moves a board to its next phase also notifies the members it waits for
        // now.
        context.team().due().process(context.session().name());
      }
    }
    return ExitCode.OK;
  }

  private static List<BoardSession> meetings(BoardReader reader, Arguments arguments) {
    boolean open = arguments.has(BoardOptions.OPEN);
    return reader.all().stream().filter(meeting -> !open || !meeting.phase().isDecided()).toList();
  }

  /** Commands that may change a session's phase. */
  private static void standing(Invocation invocation, CommandContext context, String action)
      throws IOException {
    Arguments arguments = invocation.arguments();
    BoardService boards = context.team().boards(context.session());
    ReachedPhase standing =
        switch (action) {
          case "open" -> open(invocation, context, Agenda.of(arguments.required(CHECKPOINT)));
          case "quick" -> {
            BoardOptions.checkNoAgents(arguments);
            yield open(invocation, context, Agenda.quickReview());
          }
          case "assess" ->
              boards.assess(session(context, invocation), BoardOptions.assessment(arguments));
          case "discuss" -> {
            String body =
                Body.read(
                    invocation, context.bus().limits(), arguments.value(BoardOptions.BODY, ""));
            yield boards.discuss(
                session(context, invocation), BoardOptions.speech(arguments, body));
          }
          case "vote" -> boards.vote(session(context, invocation), BoardOptions.ballot(arguments));
          default -> boards.advance(session(context, invocation));
        };
    BoardText.standing(invocation.out(), context.team().boards(), standing);
  }

  private static int meeting(Invocation invocation, CommandContext context, Agenda usual)
      throws IOException, InterruptedException {
    return BoardRun.hold(
        invocation,
        context.session(),
        BoardOptions.meeting(invocation.arguments(), usual),
        proposal(invocation, context),
        (out, meeting) -> BoardText.resolution(out, meeting, false));
  }

  private static ReachedPhase open(Invocation invocation, CommandContext context, Agenda usual)
      throws IOException {
    Agenda agenda = BoardOptions.agenda(invocation.arguments(), usual);
    return context.team().boards(context.session()).open(agenda, proposal(invocation, context));
  }

  private static String proposal(Invocation invocation, CommandContext context) throws IOException {
    String file = invocation.arguments().value(BoardOptions.PROPOSAL);
    return file == null
        ? ""
        : Body.file(invocation, context.bus().limits(), BoardOptions.PROPOSAL.name(), file);
  }

  private static void resolve(Invocation invocation, CommandContext context, BoardReader reader)
      throws InterruptedException {
    Arguments arguments = invocation.arguments();
    var _ = waited(invocation, context);
    String board =
        context.team().boards(context.session()).resolve(session(context, invocation)).board();
    BoardText.resolution(
        invocation.out(), reader.meeting(board), arguments.has(BoardOptions.MARKDOWN));
  }

  private static void check(Invocation invocation, CommandContext context) {
    Arguments arguments = invocation.arguments();
    String board = session(context, invocation);
    String condition = arguments.required(CONDITION);
    String note = arguments.value(BoardOptions.NOTE, "");
    context.team().boards(context.session()).checkCondition(board, condition, note);
    if (invocation.out().isJson()) {
      invocation
          .out()
          .line(
              Json.object()
                  .put("session", board)
                  .put("condition", condition)
                  .put("state", "met")
                  .build());
    } else {
      invocation.out().line(condition + " is met, recorded in " + board + ".");
    }
  }

  /** Waits if asked to; false after the timeout. */
  private static boolean waited(Invocation invocation, CommandContext context)
      throws InterruptedException {
    String wait = invocation.arguments().value(BoardOptions.WAIT);
    if (wait == null) {
      return true;
    }
    Duration atMost = Times.duration(BoardOptions.WAIT.name(), wait);
    try (DueWork.Keeping _ = context.waiting(atMost)) {
      return context.team().boards(context.session()).await(session(context, invocation), atMost);
    }
  }

  private static String session(CommandContext context, Invocation invocation) {
    return UniquePrefix.of(
        "boards",
        invocation.arguments().required(SESSION),
        context.team().boards().all().stream().map(BoardSession::id).toList());
  }
}
