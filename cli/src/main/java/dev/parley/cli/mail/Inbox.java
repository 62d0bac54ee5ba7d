package dev.parley.cli.mail;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.team.Desk;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Times;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.mail.Filter;
import dev.parley.coordination.mail.Letter;
import dev.parley.coordination.mail.Mail;
import dev.parley.coordination.mail.MailLimit;
import dev.parley.coordination.mail.MailLimits;
import dev.parley.coordination.mail.State;
import dev.parley.core.ParleyException;
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

/** Lists mail, and deals with it. */
public final class Inbox implements Command {
  private static final Parameter ACTION =
      Parameter.optional("action", "what to do with mail; without one it is listed")
          .choices(
              "list", "read", "ack", "refuse", "rm", "clear", "sent", "dead", "held", "let-go",
              "resend", "summary", "dump", "limits");
  private static final Parameter IDS =
      Parameter.optional("id", "the messages it is about").repeated();
  private static final Option UNREAD = Option.flag("--unread", "only what you have not read");
  private static final Option SORT =
      Option.value("--sort", "order", "what comes first (urgent)")
          .choices("urgent", "newest", "oldest");
  private static final Option SINCE =
      Option.value("--since", "position", "only what came after this position of your mail");
  private static final Option LAST = Option.value("--limit", "n", "at most this many").letter("-n");
  private static final Option REASON = Option.value("--reason", "text", "why, for refuse");
  private static final Map<MailLimit, Option> LIMITS = limitOptions();

  private static Map<MailLimit, Option> limitOptions() {
    Map<MailLimit, Option> options = new EnumMap<>(MailLimit.class);
    for (MailLimit limit : MailLimit.values()) {
      String name = "--" + limit.name().toLowerCase(Locale.ROOT).replace('_', '-');
      String usual = limit.usual() + (limit.isTime() ? "s" : "");
      String help = "limits: " + limit.meaning() + " (" + usual + ")";
      options.put(limit, Option.value(name, limit.isTime() ? "time" : "n", help));
    }
    return options;
  }

  @Override
  public Description description() {
    List<Option> options = new ArrayList<>(List.of(UNREAD, SINCE, SORT, LAST, REASON));
    options.addAll(LIMITS.values());
    return new Description(
        "inbox",
        Group.EVERYDAY,
        "list your mail and deal with it",
        "Lists what is in your inbox: listed is delivered, not read. read shows messages whole;"
            + " ack, refuse and rm end them; reply answers them. sent shows what became of yours,"
            + " dead what nobody took (resend sends it again), held what was kept back because a"
            + " thread had become automatic (let-go lets it through). summary counts, dump prints"
            + " everything as JSON, limits shows and sets what your inbox takes.",
        List.of(ACTION, IDS),
        FilterOptions.and(options),
        List.of(
            "parley inbox --unread",
            "parley inbox read iuafxfgglvnuwm5w-1",
            "parley inbox ack iuafxfgglvnuwm5w-1",
            "parley inbox refuse iuafxfgglvnuwm5w-2 --reason \"not mine\"",
            "parley inbox sent",
            "parley inbox limits --messages 5000"));
  }

  @Override
  public int run(Invocation invocation) {
    Arguments arguments = invocation.arguments();
    String action = arguments.word(ACTION);
    List<String> ids = arguments.words(IDS);
    Output out = invocation.out();
    Desk desk = Desk.open(invocation);
    Mail mail = desk.mail();
    Session session = desk.session();
    String me = session.name();
    desk.tellOfForgeries(session);
    switch (action == null ? "list" : action) {
      case "list" -> list(arguments, out, mail);
      case "read" -> read(out, mail, needed(ids));
      case "ack" -> {
        mail.acknowledge(needed(ids));
        done(out, ids, "done", "acknowledged");
      }
      case "refuse" -> {
        mail.refuse(needed(ids), arguments.required(REASON));
        done(out, ids, "done", "refused; the sender is told");
      }
      case "rm" -> {
        mail.remove(needed(ids));
        done(out, ids, "done", "removed");
      }
      case "let-go" -> {
        mail.letGo(needed(ids));
        done(out, ids, "stored", "let go");
      }
      case "resend" -> needed(ids).forEach(id -> SendAnswer.print(out, mail.resend(id), null));
      case "clear" -> cleared(out, mail.clear());
      case "sent" -> SentText.print(out, mail.sent());
      case "dead" ->
          SentText.print(
              out, mail.sent().stream().filter(sent -> sent.state().equals("dead")).toList());
      case "held" -> show(out, mail.held(), "Nothing is held.");
      case "summary" -> summary(out, me, mail);
      case "dump" -> dump(out, mail);
      default -> limits(arguments, out, mail);
    }
    return ExitCode.OK;
  }

  private static List<String> needed(List<String> ids) {
    if (ids.isEmpty()) {
      throw ParleyException.invalid(
          "missing-argument", "It takes the id of a message.", "parley inbox lists them.");
    }
    return ids;
  }

  private static void list(Arguments arguments, Output out, Mail mail) {
    List<Letter> letters = new ArrayList<>(mail.inbox(filter(arguments)));
    letters.sort(order(arguments.value(SORT, "urgent")));
    int limit = number(LAST, arguments.value(LAST), Integer.MAX_VALUE);
    List<Letter> shown = letters.subList(0, Math.min(limit, letters.size()));
    show(out, shown, "Nothing" + (arguments.has(UNREAD) ? " unread" : "") + ".");
    if (!out.isJson() && shown.size() < letters.size()) {
      out.line(letters.size() - shown.size() + " more.");
    }
    // Delivered is what has left this process, not what was meant to.
    out.flush();
    mail.delivered(shown);
  }

  private static void show(Output out, List<Letter> letters, String nothing) {
    if (out.isJson()) {
      letters.forEach(letter -> out.line(letter.toJson()));
    } else if (letters.isEmpty()) {
      out.line(nothing);
    } else {
      new LetterText(out, Times.system()).list(letters);
    }
  }

  private static Filter filter(Arguments arguments) {
    String since = arguments.value(SINCE);
    return FilterOptions.filter(arguments)
        .unread(arguments.has(UNREAD))
        .since(since == null ? Position.START : new Position(position(since)));
  }

  private static long position(String text) {
    return number(SINCE, text.substring(text.indexOf('@') + 1), 0);
  }

  private static Comparator<Letter> order(String name) {
    return switch (name) {
      case "newest" -> Letter.NEWEST;
      case "oldest" -> Letter.NEWEST.reversed();
      default -> Letter.MOST_URGENT;
    };
  }

  private static void read(Output out, Mail mail, List<String> ids) {
    List<Letter> letters = new ArrayList<>();
    for (String id : ids) {
      Letter letter = mail.find(id);
      if (letter == null) {
        throw ParleyException.invalid(
            "no-such-message",
            "There is no message " + id + ".",
            "parley inbox lists what is there.");
      }
      letters.add(mail.whole(letter));
    }
    LetterText text = new LetterText(out, Times.system());
    for (Letter letter : letters) {
      if (out.isJson()) {
        out.line(letter.toJson());
      } else {
        text.whole(letter);
      }
    }
    if (!out.isJson()) {
      out.line("Next: parley reply <id> --body …, or parley inbox ack <id>");
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
    List<Letter> letters = mail.inbox(Filter.ANY);
    long unread = letters.stream().filter(letter -> !letter.entry().has(State.SEEN)).count();
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
              + " sent lately.");
    }
  }

  private static void dump(Output out, Mail mail) {
    mail.inbox(Filter.ANY).forEach(letter -> out.line(letter.toJson()));
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
    if (text == null) {
      return otherwise;
    }
    try {
      int number = Integer.parseInt(text);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // As bad as one below zero.
    }
    throw ParleyException.invalid(
        "bad-number",
        option.name() + " \"" + text + "\" is not a number.",
        "Write 20, for example.");
  }
}
