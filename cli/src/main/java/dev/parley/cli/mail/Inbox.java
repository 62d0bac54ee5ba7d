package dev.parley.cli.mail;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.BodyPart;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.team.CommandContext;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.IntOption;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Times;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.mail.Mail;
import dev.parley.coordination.mail.MailFilter;
import dev.parley.coordination.mail.ReceivedMail;
import dev.parley.coordination.mail.SentMail;
import dev.parley.coordination.mailbox.DeliveryState;
import dev.parley.coordination.mailbox.MailLimit;
import dev.parley.coordination.mailbox.MailLimits;
import dev.parley.core.Position;
import dev.parley.core.json.Json;
import dev.parley.json.MailJson;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Lists mail and marks it. */
public final class Inbox implements Command {
  private static final Parameter IDS =
      Parameter.required("id", "message ids; a unique prefix is enough").repeated();
  private static final Parameter READ_IDS =
      Parameter.optional("id", "message ids (the oldest unread message)").repeated();
  private static final Option UNREAD = Option.flag("--unread", "only unread messages");
  private static final Option OF =
      Option.value(
          "--of", "agent", "show this agent's inbox without marking anything; needs no name");
  private static final Option SORT =
      Option.value("--sort", "order", "sort order (urgent)").choices("urgent", "newest", "oldest");
  private static final Option SINCE =
      Option.value("--since", "position", "only messages after this position of your mail");
  private static final Option LAST = Option.value("--limit", "n", "show at most n").letter("-n");
  private static final Option REASON = Option.value("--reason", "text", "why").needed();
  private static final Map<MailLimit, Option> LIMITS = limitOptions();

  private static Map<MailLimit, Option> limitOptions() {
    Map<MailLimit, Option> options = new EnumMap<>(MailLimit.class);
    for (MailLimit limit : MailLimit.values()) {
      String name = "--" + limit.name().toLowerCase(Locale.ROOT).replace('_', '-');
      String usual = limit.usual() + (limit.isTime() ? "s" : "");
      String help = limit.meaning() + " (" + usual + ")";
      options.put(limit, Option.value(name, limit.isTime() ? "time" : "n", help));
    }
    return options;
  }

  @Override
  public Description description() {
    return Description.family(
            "inbox",
            Group.EVERYDAY,
            "list and process your mail",
            "Lists your inbox. Listing marks messages as delivered, not as read. parley reply"
                + " answers a message; ack, refuse and rm end it without an answer.",
            "list",
            List.of(
                Description.sub(
                    "list",
                    "list your mail",
                    List.of(),
                    FilterOptions.and(List.of(UNREAD, SINCE, SORT, LAST, OF))),
                Description.sub(
                    "read",
                    "show messages in full",
                    List.of(READ_IDS),
                    List.of(BodyPart.FULL, BodyPart.PART, OF)),
                Description.sub("ack", "mark messages as done", List.of(IDS), List.of()),
                Description.sub(
                    "refuse",
                    "reject messages and tell their senders why",
                    List.of(IDS),
                    List.of(REASON)),
                Description.sub("rm", "remove messages from the inbox", List.of(IDS), List.of()),
                Description.sub(
                    "clear", "remove all messages from the inbox", List.of(), List.of()),
                Description.sub(
                    "sent",
                    "show the state of sent messages",
                    List.of(),
                    FilterOptions.ofSent(List.of(LAST))),
                Description.sub(
                    "dead",
                    "show dead letters: sent messages that were never read",
                    List.of(),
                    FilterOptions.ofSent(List.of(LAST))),
                Description.sub("resend", "resend dead letters", List.of(IDS), List.of()),
                Description.sub(
                    "held",
                    "show messages held because agents answered each other automatically",
                    List.of(),
                    List.of()),
                Description.sub(
                    "release", "deliver messages that are held", List.of(IDS), List.of()),
                Description.sub("summary", "count your mail", List.of(), List.of()),
                Description.sub("dump", "print everything as JSON", List.of(), List.of()),
                Description.sub(
                    "limits",
                    "show and set the limits of your inbox",
                    List.of(),
                    List.copyOf(LIMITS.values()))),
            List.of(
                "parley inbox --unread",
                "parley inbox read iuafxfgglvnuwm5w-1",
                "parley inbox ack iuafxfgglvnuwm5w-1",
                "parley inbox refuse iuafxfgglvnuwm5w-2 --reason \"not mine\"",
                "parley inbox sent",
                "parley inbox limits --messages 5000"))
        .movedTo(Map.of("let-go", "inbox release"));
  }

  @Override
  public int run(Invocation invocation) {
    Arguments arguments = invocation.arguments();
    Output out = invocation.out();
    CommandContext context = CommandContext.open(invocation);
    String of = arguments.value(OF);
    if (of != null) {
      look(invocation, context, of);
      return ExitCode.OK;
    }
    Mail mail = context.mail();
    Session session = context.session();
    String me = session.name();
    context.tellOfForgeries(session);
    context.team().waking(session).acted();
    switch (arguments.subcommand()) {
      case "list" -> list(invocation, mail);
      case "read" -> read(invocation, mail, MessageId.received(mail, arguments.words(READ_IDS)));
      case "ack" -> {
        List<String> ids = ids(arguments, mail);
        mail.acknowledge(ids);
        done(out, ids, "done", "acknowledged");
      }
      case "refuse" -> {
        List<String> ids = ids(arguments, mail);
        mail.refuse(ids, arguments.required(REASON));
        done(out, ids, "done", "refused; the sender is notified");
      }
      case "rm" -> {
        List<String> ids = ids(arguments, mail);
        mail.remove(ids);
        done(out, ids, "done", "removed");
      }
      case "release" -> {
        List<String> ids = ids(arguments, mail);
        mail.letGo(ids);
        done(out, ids, "stored", "released");
      }
      case "resend" ->
          arguments
              .words(IDS)
              .forEach(id -> SendAnswer.print(out, mail.resend(MessageId.sent(mail, id)), null));
      case "clear" -> cleared(out, mail.clear());
      case "sent" -> SentText.print(out, mail, sent(arguments, mail, mail.sent()));
      case "dead" ->
          SentText.print(
              out,
              mail,
              sent(
                  arguments,
                  mail,
                  mail.sent().stream().filter(sent -> sent.state().equals("dead")).toList()));
      case "held" -> show(invocation, mail.held(), "No held messages.");
      case "summary" -> summary(out, me, mail);
      case "dump" -> dump(out, mail);
      default -> limits(arguments, out, mail);
    }
    return ExitCode.OK;
  }

  private static List<String> ids(Arguments arguments, Mail mail) {
    return MessageId.received(mail, arguments.words(IDS));
  }

  /** The last of the selected messages. */
  private static List<SentMail> sent(Arguments arguments, Mail mail, List<SentMail> all) {
    List<SentMail> wanted = all.stream().filter(FilterOptions.sent(arguments, mail)).toList();
    int limit = number(LAST, arguments.value(LAST), Integer.MAX_VALUE);
    return wanted.subList(Math.max(0, wanted.size() - limit), wanted.size());
  }

  private static void list(Invocation invocation, Mail mail) {
    List<ReceivedMail> shown = listed(invocation, mail.inbox(filter(invocation.arguments())));
    // Flushed first, because only mail that has left this process counts as delivered.
    invocation.out().flush();
    mail.delivered(shown);
  }

  /** Prints the selected messages and returns them. */
  private static List<ReceivedMail> listed(Invocation invocation, List<ReceivedMail> found) {
    Arguments arguments = invocation.arguments();
    Output out = invocation.out();
    List<ReceivedMail> letters = new ArrayList<>(found);
    letters.sort(order(arguments.value(SORT, "urgent")));
    int limit = number(LAST, arguments.value(LAST), Integer.MAX_VALUE);
    List<ReceivedMail> shown = letters.subList(0, Math.min(limit, letters.size()));
    show(invocation, shown, arguments.has(UNREAD) ? "No unread mail." : "No mail.");
    if (!out.isJson() && shown.size() < letters.size()) {
      out.line(letters.size() - shown.size() + " more.");
    }
    return shown;
  }

  private static void show(Invocation invocation, List<ReceivedMail> letters, String nothing) {
    Output out = invocation.out();
    if (out.isJson()) {
      BodyPart part = BodyPart.of(invocation);
      letters.forEach(letter -> out.line(shown(invocation, part, letter).toJson()));
    } else if (letters.isEmpty()) {
      out.line(nothing);
    } else {
      new MailText(out, Times.system()).list(letters);
    }
  }

  private static ShownMail shown(Invocation invocation, BodyPart part, ReceivedMail letter) {
    String of = invocation.arguments().value(OF);
    String command = "parley inbox read " + letter.entry().id();
    return ShownMail.of(part, letter, of == null ? command : command + " --of " + of);
  }

  private static MailFilter filter(Arguments arguments) {
    String since = arguments.value(SINCE);
    return FilterOptions.filter(arguments)
        .unread(arguments.has(UNREAD))
        .since(since == null ? Position.START : new Position(position(since)));
  }

  private static long position(String text) {
    return number(SINCE, text.substring(text.indexOf('@') + 1), 0);
  }

  private static Comparator<ReceivedMail> order(String name) {
    return switch (name) {
      case "newest" -> ReceivedMail.NEWEST;
      case "oldest" -> ReceivedMail.NEWEST.reversed();
      default -> ReceivedMail.MOST_URGENT;
    };
  }

  /** What is in somebody's inbox, for anybody who may read the bus. */
  private static void look(Invocation invocation, CommandContext context, String agent) {
    Arguments arguments = invocation.arguments();
    List<ReceivedMail> all = context.team().lookAtInbox(agent);
    if (all.isEmpty()) {
      context.checkKnown(agent);
    }
    if (arguments.subcommand().equals("list")) {
      MailFilter filter = filter(arguments);
      listed(invocation, all.stream().filter(filter::takes).toList());
      return;
    }
    List<String> ids = all.stream().map(letter -> letter.entry().id()).toList();
    List<ReceivedMail> letters = new ArrayList<>();
    for (String typed : arguments.words(READ_IDS)) {
      String id = MessageId.onlyOne(typed, ids);
      letters.add(
          all.stream()
              .filter(letter -> letter.entry().id().equals(id))
              .findFirst()
              .orElseThrow(() -> MessageId.notFound(id)));
    }
    if (letters.isEmpty()) {
      all.stream()
          .filter(it -> !it.entry().has(DeliveryState.SEEN))
          .findFirst()
          .ifPresent(letters::add);
    }
    print(invocation, letters.stream().map(context.team()::whole).toList());
  }

  private static void print(Invocation invocation, List<ReceivedMail> letters) {
    Output out = invocation.out();
    BodyPart part = BodyPart.of(invocation);
    if (letters.isEmpty()) {
      show(invocation, letters, "No unread messages.");
    }
    MailText text = new MailText(out, Times.system());
    for (ReceivedMail letter : letters) {
      ShownMail shown = shown(invocation, part, letter);
      if (out.isJson()) {
        out.line(shown.toJson());
      } else {
        text.whole(shown);
      }
    }
  }

  private static void read(Invocation invocation, Mail mail, List<String> ids) {
    Output out = invocation.out();
    List<ReceivedMail> letters = new ArrayList<>();
    for (String id : ids) {
      ReceivedMail letter = mail.find(id);
      if (letter == null) {
        throw MessageId.notFound(id);
      }
      letters.add(mail.whole(letter));
    }
    if (ids.isEmpty()) {
      mail.inbox(MailFilter.ANY.unread(true)).stream()
          .findFirst()
          .map(mail::whole)
          .ifPresent(letters::add);
    }
    print(invocation, letters);
    if (letters.isEmpty()) {
      return;
    }
    if (!out.isJson()) {
      out.line(
          letters.size() == 1
              ? MailText.next(letters.getFirst())
              : "Next: parley reply <id> <text>, or parley inbox ack <id>");
    }
    out.flush();
    mail.seen(letters);
  }

  private static void done(Output out, List<String> ids, String state, String how) {
    for (String id : ids) {
      if (out.isJson()) {
        out.line(Json.object().put("id", id).put("state", state).put("how", how).build());
      } else {
        out.line(id + " is " + state + ": " + how + ".");
      }
    }
  }

  private static void cleared(Output out, int count) {
    if (out.isJson()) {
      out.line(Json.object().put("state", "done").put("removed", count).build());
    } else {
      out.line(count == 1 ? "1 message removed." : count + " messages removed.");
    }
  }

  private static void summary(Output out, String me, Mail mail) {
    List<ReceivedMail> letters = mail.inbox(MailFilter.ANY);
    long unread =
        letters.stream().filter(letter -> !letter.entry().has(DeliveryState.SEEN)).count();
    long waiting = letters.stream().filter(letter -> letter.entry().needsReply()).count();
    int held = mail.held().size();
    int sent = mail.sent().size();
    if (out.isJson()) {
      out.line(
          Json.object()
              .put("agent", me)
              .put("inbox", letters.size())
              .put("unread", unread)
              .put("needReply", waiting)
              .put("held", held)
              .put("sent", sent)
              .build());
    } else {
      out.line(
          letters.size()
              + " in the inbox, "
              + unread
              + " unread, "
              + waiting
              + " need a reply, "
              + held
              + " held; "
              + sent
              + " sent recently.");
    }
  }

  private static void dump(Output out, Mail mail) {
    mail.inbox(MailFilter.ANY).forEach(letter -> out.line(letter.toJson()));
    mail.held().forEach(letter -> out.line(letter.toJson()));
    mail.sent().forEach(sent -> out.line(MailJson.of(sent)));
  }

  private static void limits(Arguments arguments, Output out, Mail mail) {
    MailLimits now = mail.limits();
    MailLimits wanted = now;
    for (Map.Entry<MailLimit, Option> entry : LIMITS.entrySet()) {
      Option option = entry.getValue();
      String text = arguments.value(option);
      if (text != null) {
        wanted =
            wanted.with(
                entry.getKey(),
                entry.getKey().isTime()
                    ? Times.duration(option.name(), text).toSeconds()
                    : number(option, text, 0));
      }
    }
    if (!wanted.equals(now)) {
      mail.setLimits(wanted);
    }
    if (out.isJson()) {
      out.line(wanted.toJson());
    } else {
      for (MailLimit limit : MailLimit.values()) {
        String unit = limit.isTime() ? " s" : "";
        out.line(String.format("%-10s %d%s", limit.field(), wanted.get(limit), unit));
      }
    }
  }

  private static int number(Option option, @Nullable String text, int otherwise) {
    return text == null ? otherwise : IntOption.number(option.name(), text, 0, Integer.MAX_VALUE);
  }
}
