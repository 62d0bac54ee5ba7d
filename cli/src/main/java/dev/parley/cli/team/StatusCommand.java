package dev.parley.cli.team;

import dev.parley.cli.args.CommonOptions;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Table;
import dev.parley.coordination.board.BoardSession;
import dev.parley.coordination.ledger.Activity;
import dev.parley.coordination.ledger.Activity.Presence;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.mail.MailFilter;
import dev.parley.coordination.mail.ReceivedMail;
import dev.parley.coordination.mailbox.DeliveryState;
import dev.parley.coordination.path.PathPattern;
import dev.parley.coordination.roster.Member;
import dev.parley.coordination.task.Task;
import dev.parley.coordination.task.TaskState;
import dev.parley.core.ParleyException;
import dev.parley.core.Prefix;
import dev.parley.core.json.Json;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The output of a bare {@code parley}: the bus, unread mail, what waits for the caller, and who is
 * here. It joins nobody and marks nothing as delivered.
 */
public final class StatusCommand implements Command {
  private static final String UNKNOWN =
      "no name set; set one: export " + Invocation.AGENT + "=<agent>";

  @Override
  public Description description() {
    return new Description(
        "status",
        Group.EVERYDAY,
        "show your mail, tasks and locks, and who is here",
        "Same as parley without a command. It marks nothing as delivered or read.",
        List.of(),
        List.of(),
        List.of("parley", "parley status --json"));
  }

  @Override
  public int run(Invocation invocation) {
    if (!hasBus(invocation)) {
      noBus(invocation);
      return ExitCode.OK;
    }
    CommandContext context = CommandContext.open(invocation);
    Session session = context.existingSession();
    boolean here = session != null && context.sessions().owns(session);
    List<ReceivedMail> mail =
        session != null && here ? context.team().mail(session).inbox(MailFilter.ANY) : List.of();
    if (session != null && here) {
      context.tellOfForgeries(session);
    } else {
      context.catchUp(); // reading an inbox does this too
    }
    String agent = session == null ? invocation.agent() : session.name();
    if (invocation.out().isJson()) {
      json(invocation.out(), context, agent, mail);
    } else {
      text(invocation.out(), context, agent, here, mail);
    }
    return ExitCode.OK;
  }

  private static void json(
      Output out, CommandContext context, @Nullable String agent, List<ReceivedMail> mail) {
    out.line(
        Json.object()
            .put("bus", context.bus().path().toString())
            .put("topics", topics(context))
            .put("agent", agent)
            .put("inbox", mail.size())
            .put("unread", mail.stream().filter(StatusCommand::isUnread).count())
            .put(
                "needReply",
                Json.ofStrings(
                    mail.stream()
                        .filter(letter -> letter.entry().needsReply())
                        .map(letter -> letter.entry().id())
                        .toList()))
            .put("boards", Json.ofStrings(boards(context, agent)))
            .put("tasks", Json.ofStrings(tasks(context, agent).stream().map(Task::id).toList()))
            .put("locks", Json.ofStrings(locks(context, agent)))
            .put("ready", ready(context))
            .put("here", Json.ofStrings(here(context)))
            .build());
  }

  private static void text(
      Output out,
      CommandContext context,
      @Nullable String agent,
      boolean joined,
      List<ReceivedMail> mail) {
    Table table = new Table();
    int topics = topics(context);
    table.row(
        "bus",
        Printable.text(context.bus().path().toString())
            + (topics == 1 ? " (1 topic)" : " (" + topics + " topics)"));
    if (agent == null) {
      table.row("you", UNKNOWN);
    } else if (!joined) {
      table.row("you", Printable.text(agent) + " (not joined yet)");
    } else {
      table.row("you", Printable.text(agent));
      long unread = mail.stream().filter(StatusCommand::isUnread).count();
      table.row(
          "mail",
          mail.isEmpty()
              ? "nothing"
              : mail.size() + " in the inbox, " + unread + " unread: parley inbox");
      mail.stream()
          .filter(letter -> letter.entry().needsReply())
          .limit(5)
          .forEach(letter ->
              table.row(
                  "",
                  Printable.text(letter.entry().from())
                      + " waits for your answer: parley inbox read "
                      + Printable.text(letter.entry().id())));
    }
    work(table, context, agent);
    for (String board : boards(context, agent)) {
      table.row("", "board " + board + " waits for you: parley board show " + board);
    }
    List<String> here = here(context);
    table.row("here", here.isEmpty() ? "nobody" : String.join(", ", here));
    table.row("help", "parley help");
    table.lines(out.width()).forEach(out::line);
  }

  /** What a restarted agent must know: its tasks and locks; without any, what there is to do. */
  private static void work(Table table, CommandContext context, @Nullable String agent) {
    List<Task> tasks = tasks(context, agent);
    for (Task task : tasks) {
      table.row(
          tasks.getFirst().equals(task) ? "tasks" : "",
          Printable.text(task.id() + " " + task.plan().title()).strip()
              + ": parley task show "
              + Printable.text(task.id()));
    }
    List<String> locks = locks(context, agent);
    if (!locks.isEmpty()) {
      table.row("locks", Printable.text(String.join(" ", locks)));
    }
    int ready = ready(context);
    if (tasks.isEmpty() && ready > 0) {
      table.row(
          "tasks", ready + (ready == 1 ? " is" : " are") + " ready to claim: parley task next");
    }
  }

  private static List<Task> tasks(CommandContext context, @Nullable String agent) {
    return context
        .team()
        .ledger()
        .look(ledger -> {
          Member member = agent == null ? null : ledger.roster().member(agent);
          return member == null || member.session() == null
              ? List.of()
              : List.copyOf(ledger.tasks().of(member.session()));
        });
  }

  /** The paths that an agent has locked, also those of its tasks. */
  private static List<String> locks(CommandContext context, @Nullable String agent) {
    return context
        .team()
        .ledger()
        .look(ledger ->
            ledger.leases().all().stream()
                .filter(lease -> lease.holder().equals(agent))
                .flatMap(lease -> lease.paths().stream())
                .map(PathPattern::toString)
                .distinct()
                .toList());
  }

  private static int ready(CommandContext context) {
    return context
        .team()
        .ledger()
        .look(ledger ->
            (int)
                ledger.tasks().notDone().stream()
                    .filter(task -> task.state() == TaskState.READY)
                    .count());
  }

  /** The board sessions that wait for a contribution of an agent. */
  private static List<String> boards(CommandContext context, @Nullable String agent) {
    return agent == null
        ? List.of()
        : context
            .team()
            .ledger()
            .look(ledger ->
                ledger.boards().all().stream()
                    .filter(meeting -> meeting.missing().contains(agent))
                    .map(BoardSession::id)
                    .toList());
  }

  private static List<String> here(CommandContext context) {
    Instant now = context.team().ledger().now();
    return context
        .team()
        .ledger()
        .look(ledger ->
            ledger.roster().members().stream()
                .filter(member -> Activity.of(ledger, member, now).presence() == Presence.HERE)
                .map(Member::name)
                .toList());
  }

  private static int topics(CommandContext context) {
    return context.log().topics(Prefix.ALL).size();
  }

  private static boolean isUnread(ReceivedMail letter) {
    return !letter.entry().has(DeliveryState.SEEN);
  }

  /** A missing bus is an error only if a certain bus was asked for. */
  private static boolean hasBus(Invocation invocation) {
    try {
      var _ = invocation.bus();
      return true;
    } catch (ParleyException e) {
      if (e.code().equals("no-bus") && !invocation.arguments().has(CommonOptions.BUS)) {
        return false;
      }
      throw e;
    }
  }

  private static void noBus(Invocation invocation) {
    if (invocation.out().isJson()) {
      invocation
          .out()
          .line(Json.object().put("bus", Json.NULL).put("agent", invocation.agent()).build());
      return;
    }
    Table table = new Table();
    table.row("bus", "none here; create one: parley init");
    String agent = invocation.agent();
    table.row("you", agent == null ? UNKNOWN : Printable.text(agent));
    table.row("help", "parley help");
    table.lines(invocation.out().width()).forEach(invocation.out()::line);
  }
}
