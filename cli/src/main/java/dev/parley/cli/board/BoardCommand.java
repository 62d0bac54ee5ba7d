package dev.parley.cli.board;

import dev.parley.cli.agents.BoardRun;
import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.Body;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.team.CommandContext;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Times;
import dev.parley.coordination.board.Agenda;
import dev.parley.coordination.board.BoardSession;
import dev.parley.coordination.board.Standing;
import dev.parley.coordination.work.BoardReader;
import dev.parley.coordination.work.BoardService;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.util.List;

/** Sessions in which a board deliberates and votes. */
public final class BoardCommand implements Command {
  private static final Parameter SESSION = Parameter.required("session", "which session");
  private static final Parameter CHECKPOINT =
      Parameter.required("checkpoint", "what is decided upon, such as EVALUATE_PLAN");
  private static final Parameter CONDITION =
      Parameter.required("condition", "which condition, such as board-1.1");

  @Override
  public Description description() {
    return Description.family(
        "board",
        Group.COORDINATE,
        "let a board deliberate and vote",
        "A session goes through phases: ASSESS, everyone for itself; DISCUSS, in rounds; VOTE;"
            + " RESOLVE, the verdict stands; COMPLETE. A phase ends when all electors are in (a"
            + " round of the discussion: when all have spoken), when its deadline is over, or when"
            + " whoever opened the session says advance. A director is an agent: --as CSO. Until"
            + " the phase ends you may assess or vote again, and the last one counts. Blind"
            + " assessments are shown by no command before all are in, but the log itself is plain"
            + " text.",
        "list",
        List.of(
            Description.sub("list", "list sessions", List.of(), List.of(BoardOptions.OPEN)),
            Description.sub("open", "open a session", List.of(CHECKPOINT), BoardOptions.OF_OPEN),
            Description.sub("quick", "ask for assessments only", List.of(), BoardOptions.OF_QUICK)
                .saying(
                    "With --run, agents that run as programs assess, and the answer is the verdict:"
                        + " see parley board meeting --help."),
            Description.sub(
                    "meeting",
                    "hold a whole session with agents that run as programs",
                    List.of(CHECKPOINT),
                    BoardOptions.OF_MEETING)
                .saying(
                    "Opens a session and asks its directors: they assess in parallel and blind,"
                        + " discuss in rounds, and vote. The ledger decides phases and verdict."
                        + " Directors without an agent speak for themselves, and are waited for"
                        + " until the phase is over (--deadline, 15m). An answer that can't be read"
                        + " is asked for once more; then its director counts as missing. Conditions"
                        + " of earlier sessions are put before the director who made them. A"
                        + " meeting that was killed goes on with parley runs resume."),
            Description.sub(
                "assess", "say what you think of it", List.of(SESSION), BoardOptions.OF_ASSESS),
            Description.sub(
                "discuss", "say something in a round", List.of(SESSION), BoardOptions.OF_DISCUSS),
            Description.sub("vote", "cast your vote", List.of(SESSION), BoardOptions.OF_VOTE),
            Description.sub(
                "advance", "end the phase, if you opened it", List.of(SESSION), List.of()),
            Description.sub(
                "resolve",
                "show the verdict, its conditions and who dissented",
                List.of(SESSION),
                List.of(BoardOptions.MARKDOWN, BoardOptions.WAIT)),
            Description.sub(
                "read", "show what was said", List.of(SESSION), List.of(BoardOptions.FOR)),
            Description.sub(
                "show", "show everything", List.of(SESSION), List.of(BoardOptions.WAIT)),
            Description.sub(
                    "check",
                    "say that a condition is met",
                    List.of(SESSION, CONDITION),
                    List.of(BoardOptions.NOTE))
                .saying("Conditions are carried over to the sessions that come later.")),
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
        BoardSession meeting = reader.meeting(session(arguments));
        BoardText.discussion(out, reader, meeting, arguments.value(BoardOptions.FOR));
      }
      case "show" -> {
        context.catchUp();
        boolean waited = waited(invocation, context);
        BoardSession meeting = reader.meeting(session(arguments));
        BoardText.whole(out, reader, meeting, Times.of(context.team().ledger()));
        return waited ? ExitCode.OK : ExitCode.TIMED_OUT;
      }
      case "resolve" -> resolve(invocation, context, reader);
      case "check" -> check(invocation, context);
      default -> {
        standing(invocation, context, action);
        // Whoever brings a board to its next phase tells those it waits for now.
        context.team().due().process(context.session().name());
      }
    }
    return ExitCode.OK;
  }

  private static List<BoardSession> meetings(BoardReader reader, Arguments arguments) {
    boolean open = arguments.has(BoardOptions.OPEN);
    return reader.all().stream().filter(meeting -> !open || !meeting.phase().isDecided()).toList();
  }

  /** What changes where a session is. */
  private static void standing(Invocation invocation, CommandContext context, String action)
      throws IOException {
    Arguments arguments = invocation.arguments();
    BoardService boards = context.team().boards(context.session());
    Standing standing =
        switch (action) {
          case "open" -> open(invocation, context, Agenda.of(arguments.required(CHECKPOINT)));
          case "quick" -> {
            BoardOptions.checkNoAgents(arguments);
            yield open(invocation, context, Agenda.quickReview());
          }
          case "assess" -> boards.assess(session(arguments), BoardOptions.assessment(arguments));
          case "discuss" -> {
            String body =
                Body.read(
                    invocation, context.bus().limits(), arguments.value(BoardOptions.BODY, ""));
            yield boards.discuss(session(arguments), BoardOptions.speech(arguments, body));
          }
          case "vote" -> boards.vote(session(arguments), BoardOptions.ballot(arguments));
          default -> boards.advance(session(arguments));
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

  private static Standing open(Invocation invocation, CommandContext context, Agenda usual)
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
    String board = context.team().boards(context.session()).resolve(session(arguments)).board();
    BoardText.resolution(
        invocation.out(), reader.meeting(board), arguments.has(BoardOptions.MARKDOWN));
  }

  private static void check(Invocation invocation, CommandContext context) {
    Arguments arguments = invocation.arguments();
    String board = session(arguments);
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
      invocation.out().line(condition + " is met, says " + board + ".");
    }
  }

  /** Waits if that was asked for; false if the time was over first. */
  private static boolean waited(Invocation invocation, CommandContext context)
      throws InterruptedException {
    String wait = invocation.arguments().value(BoardOptions.WAIT);
    return wait == null
        || context
            .team()
            .boards(context.session())
            .await(session(invocation.arguments()), Times.duration(BoardOptions.WAIT.name(), wait));
  }

  private static String session(Arguments arguments) {
    return arguments.required(SESSION);
  }
}
