package dev.parley.cli.mail;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.BodyPart;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.command.OpenedBus;
import dev.parley.cli.team.CommandContext;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.PositionOption;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Stop;
import dev.parley.cli.terminal.Times;
import dev.parley.cli.work.EventWait;
import dev.parley.coordination.board.BoardSession;
import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.mail.Mail;
import dev.parley.coordination.mail.MailFilter;
import dev.parley.coordination.mail.ReceivedMail;
import dev.parley.coordination.mailbox.MailTypes;
import dev.parley.core.ParleyException;
import dev.parley.core.Position;
import dev.parley.core.json.Json;
import dev.parley.dialects.mount.Mounts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Waits for mail. */
public final class WaitCommand implements Command {
  /** The default timeout off a terminal: shorter than hosts let a command run. */
  static final Duration OFF_TERMINAL = Duration.ofSeconds(90);

  private static final Duration FOR_EVER = Duration.ofDays(365);

  private static final Parameter EVENT =
      Parameter.optional(
          "event",
          "reply:<id>: an answer to your message; task:<id>: the end of a task; path:<path>: nobody"
              + " else holds the path; agent:<name>: the agent has left; board:<id>: your turn, or"
              + " a decision; event:<pattern>: an event file of a mounted Conductor folder");

  /** The prefix of an event that is a file. */
  private static final String SIGNAL = "event:";

  private static final Option TIMEOUT =
      Option.value("--timeout", "time", "the longest time to wait (90s if not on a terminal)");

  private static final Option NEW =
      Option.flag("--new", "only new messages, even if an older one still needs your reply");

  private static final Option AFTER =
      Option.value(
          "--after",
          "position",
          "only events of tasks, paths, agents and boards after this ledger position");

  @Override
  public Description description() {
    return new Description(
        "wait",
        Group.EVERYDAY,
        "wait for mail, an answer, a task or a path",
        "Waits for the next message that you have not received yet and prints it in full; messages"
            + " that arrived earlier count. A message that needs your reply, or says that a board"
            + " waits for you, is returned again at once, until you have answered, voted or ended it"
            + " (not with --new). Waiting uses no processor time."
            + " After --timeout the exit code is 4; nothing is lost, and the next wait finds the"
            + " message. Others can see what you wait for (parley waits). A wait that would be a"
            + " deadlock is refused. A task need not exist yet. With --after the answer names the"
            + " position of the event, which can be the next --after, so that each event is"
            + " returned once.",
        List.of(EVENT),
        FilterOptions.and(List.of(TIMEOUT, NEW, AFTER, BodyPart.FULL)),
        List.of(
            "parley wait --timeout 5m",
            "parley wait --from bob --type result",
            "parley wait reply:iuafxfgglvnuwm5w-1 --timeout 10m",
            "parley wait task:1.1 --timeout 30m",
            "parley wait task:1.1 --after ledger@412",
            "parley wait path:src/a.ts",
            "parley wait 'event:TASK_COMPLETE_*.event' --timeout 5m"));
  }

  @Override
  public int run(Invocation invocation) throws InterruptedException {
    Arguments arguments = invocation.arguments();
    Output out = invocation.out();
    Duration atMost = atMost(arguments.value(TIMEOUT), out.isTerminal());
    String event = arguments.word(EVENT);
    Position after = after(arguments.value(AFTER), event);
    if (event != null && event.startsWith(SIGNAL) && event.length() > SIGNAL.length()) {
      arguments.refuseOthers(event);
      return signalled(invocation, event.substring(SIGNAL.length()), atMost);
    }
    CommandContext context = CommandContext.open(invocation);
    if (event != null && EventWait.isEvent(event)) {
      arguments.refuseOthers(event);
      int exitCode = EventWait.run(invocation, context, event, after, atMost);
      if (exitCode == ExitCode.TIMED_OUT) {
        nothing(out, notYet(context, event));
      }
      return exitCode;
    }
    boolean onlyNew = arguments.has(NEW);
    Mail mail = context.mail();
    String typed = question(event);
    String question = typed == null ? null : MessageId.sent(mail, typed);
    MailFilter filter = FilterOptions.filter(arguments).replyTo(question);
    ReceivedMail letter = mail.await(filter, Duration.ZERO);
    if (letter == null && question != null) {
      return answered(invocation, context, mail, question, filter, atMost);
    }
    if (letter == null && !onlyNew) {
      letter = unanswered(context, mail, filter);
    }
    return print(invocation, mail, filter, letter == null ? mail.await(filter, atMost) : letter);
  }

  /** The most urgent message that waits for our answer or vote; null if there is none. */
  private static @Nullable ReceivedMail unanswered(
      CommandContext context, Mail mail, MailFilter filter) {
    String me = context.session().name();
    List<BoardSession> boards = context.team().boards().all();
    return mail.inbox(filter).stream()
        .filter(letter ->
            letter.entry().needsReply()
                || boards.stream().anyMatch(board -> calls(letter, board, me)))
        .min(ReceivedMail.MOST_URGENT)
        .orElse(null);
  }

  /** Whether a message calls an agent to the present phase of a board, and the agent is missing. */
  private static boolean calls(ReceivedMail letter, BoardSession board, String agent) {
    if (!letter.entry().type().equals(MailTypes.BOARD_CALL) || !board.missing().contains(agent)) {
      return false;
    }
    Fields call = Fields.of(letter.content().metadata());
    return board.id().equals(call.text("board"))
        && board.phase().name().equals(call.text("phase"))
        && board.stage().round() == call.number("round", -1);
  }

  /** Waits for a file, as the tools of a mounted folder do. */
  private static int signalled(Invocation invocation, String pattern, Duration atMost)
      throws InterruptedException {
    Output out = invocation.out();
    OpenedBus bus = invocation.openedBus();
    try (Mounts mounts =
        new Mounts(
            bus.folder(), bus.log(), bus.team().ledger(), invocation.notices(), remark -> {})) {
      Path found = mounts.events().await(pattern, atMost);
      if (found == null) {
        nothing(out, "No such file yet.");
        return ExitCode.TIMED_OUT;
      }
      if (out.isJson()) {
        out.line(
            Json.object().put("event", SIGNAL + pattern).put("file", found.toString()).build());
      } else {
        out.line(Printable.text(found.toString()) + " is there.");
      }
      return ExitCode.OK;
    }
  }

  /** Waits for an answer. The wait is in the ledger, because the agent asked may wait for us. */
  private static int answered(
      Invocation invocation,
      CommandContext context,
      Mail mail,
      String question,
      MailFilter filter,
      Duration atMost)
      throws InterruptedException {
    ReceivedMail sent = mail.findSent(question);
    if (sent == null && context.log().find(question).isEmpty()) {
      throw MessageId.notFound(question);
    }
    List<String> asked = sent == null ? List.of() : sent.envelope().to();
    if (asked.size() != 1) {
      return print(invocation, mail, filter, mail.await(filter, atMost));
    }
    try (Stop _ = Stop.interrupting();
        EventWait.Asked wait =
            EventWait.answerOf(invocation, context, asked.getFirst(), question, atMost)) {
      return wait == null
          ? ExitCode.REFUSED
          : print(invocation, mail, filter, mail.await(filter, atMost));
    }
  }

  private static int print(
      Invocation invocation, Mail mail, MailFilter filter, @Nullable ReceivedMail found) {
    Output out = invocation.out();
    BodyPart part = BodyPart.of(invocation);
    if (found == null) {
      nothing(out, noMessage(mail, filter));
      return ExitCode.TIMED_OUT;
    }
    ReceivedMail letter = mail.whole(found);
    ShownMail shown = ShownMail.of(part, letter, "parley inbox read " + letter.entry().id());
    if (out.isJson()) {
      out.line(shown.toJson());
    } else {
      new MailText(out, Times.system()).whole(shown);
      out.line(MailText.next(letter));
    }
    // Flushed first, because only mail that has left this process counts as delivered.
    out.flush();
    mail.delivered(List.of(letter));
    return ExitCode.OK;
  }

  /** Mail that was listed before, but never read, is not new; a model would take it for none. */
  private static String noMessage(Mail mail, MailFilter filter) {
    long unread = mail.inbox(filter.unread(true)).size();
    if (unread == 0) {
      return "No message yet; the next wait finds what arrives later.";
    }
    return "No new message, but "
        + (unread == 1 ? "1 listed message is" : unread + " listed messages are")
        + " unread: parley inbox read";
  }

  private static @Nullable String question(@Nullable String event) {
    if (event == null) {
      return null;
    }
    if (event.startsWith("reply:") && event.length() > "reply:".length()) {
      return event.substring("reply:".length());
    }
    throw ParleyException.invalid(
        "unknown-event",
        "Unknown event \"" + event + "\".",
        "Use reply:<id>, task:<id>, path:<path>, agent:<name>, board:<id> or event:<pattern>.");
  }

  private static @Nullable Position after(@Nullable String after, @Nullable String event) {
    if (after == null) {
      return null;
    }
    if (event == null || !EventWait.isEvent(event)) {
      throw ParleyException.invalid(
          "bad-place",
          AFTER.name() + " needs a task, path, agent or board to wait for.",
          "Name one: parley wait task:1.1 --after " + after);
    }
    return PositionOption.position(AFTER.name(), after, Ledger.TOPIC, "");
  }

  private static Duration atMost(@Nullable String timeout, boolean terminal) {
    if (timeout != null) {
      return Times.duration(TIMEOUT.name(), timeout);
    }
    return terminal ? FOR_EVER : OFF_TERMINAL;
  }

  /** The answer after the timeout, for each kind of event. */
  private static String notYet(CommandContext context, String event) {
    String name = event.substring(event.indexOf(':') + 1);
    return switch (event.substring(0, event.indexOf(':'))) {
      case "task" ->
          name + (isTask(context, name) ? " has not ended yet." : " does not exist yet.");
      case "path" -> name + " is still locked by another agent.";
      case "agent" -> name + " has not left yet.";
      default -> "Nothing to do in " + name + " yet.";
    };
  }

  private static boolean isTask(CommandContext context, String id) {
    return context
        .team()
        .ledger()
        .look(ledger -> ledger.tasks().all().stream().anyMatch(task -> task.id().startsWith(id)));
  }

  private static void nothing(Output out, String message) {
    String next = "Wait again, or do something else first.";
    if (out.isJson()) {
      out.line(
          Json.object()
              .put("error", "timed-out")
              .put("message", message)
              .put("next", next)
              .build());
    } else {
      out.line(message);
      out.line(next);
    }
  }
}
