package dev.parley.cli.mail;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.Body;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.swarm.SessionMail;
import dev.parley.cli.team.CommandContext;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.cli.terminal.Times;
import dev.parley.coordination.fold.Priority;
import dev.parley.coordination.mail.Draft;
import dev.parley.coordination.mail.Mail;
import dev.parley.coordination.mail.SendResult;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sends a message to agents. */
public final class Send implements Command {
  private static final Parameter TO =
      Parameter.required("to", "an agent, several as ann,ben, or all: everyone here but you");
  private static final Parameter WORDS =
      Parameter.optional("text", "what it says, unless --body has it").repeated();
  private static final Option TYPE =
      Option.value(
          "--type",
          "type",
          "task, result, question, feedback, status, finding, artifact, review, design, or any"
              + " other word (message)");
  private static final Option SUBJECT = Option.value("--subject", "text", "what it is about");
  private static final Option BODY = Body.option("what it says");
  private static final Option PRIORITY =
      Option.value("--priority", "priority", "how urgent it is (normal)")
          .choices("low", "normal", "high", "critical");
  private static final Option THREAD = Option.value("--thread", "id", "the conversation it is in");
  private static final Option REPLY_TO =
      Option.value("--reply-to", "id", "the message it speaks of (see parley reply)");
  private static final Option NEEDS_REPLY = Option.flag("--needs-reply", "an answer is expected");
  private static final Option DEADLINE =
      Option.value(
          "--deadline", "time", "until when an answer is expected: 90s, 10m, 2h, or a time");
  private static final Option ESCALATE =
      Option.value("--escalate-to", "agent", "who is told when no answer came in time (human)");
  private static final Option ARTIFACT =
      Option.value("--artifact", "file", "a file it speaks of; may be given several times")
          .repeated();
  private static final Option METADATA =
      Option.value("--metadata", "json", "anything else, as an object");
  private static final Option KEY =
      Option.value("--key", "key", "what makes sending it twice the same as once");
  private static final Option RUN = Option.value("--run", "name", "the run it belongs to");
  private static final Option TASK = Option.value("--task", "name", "the task it belongs to");
  private static final Option AUTOMATIC =
      Option.flag("--automatic", "no person or model decided to write it");
  private static final Option ANYWAY =
      Option.flag("--anyway", "also to names that nobody has heard of");

  private static final Option SESSION =
      Option.value(
          "--session", "id", "also keep it in a Swarm folder's database (see parley session)");

  @Override
  public Description description() {
    return new Description(
        "send",
        Group.EVERYDAY,
        "send a message to agents",
        "Puts a message into the inboxes of the agents named and says how far it came: stored means"
            + " that it is in the log, not that anyone has read it. parley inbox sent and parley"
            + " show tell when it was delivered, seen and done. A recipient that is silent or has"
            + " not joined yet is said so; an unknown one is refused. What is given as an argument"
            + " everybody on this machine can see in the process list: give what is private on"
            + " stdin, with --body -.",
        List.of(TO, WORDS),
        List.of(
            TYPE,
            SUBJECT,
            BODY,
            PRIORITY,
            THREAD,
            REPLY_TO,
            NEEDS_REPLY,
            DEADLINE,
            ESCALATE,
            ARTIFACT,
            METADATA,
            KEY,
            RUN,
            TASK,
            AUTOMATIC,
            ANYWAY,
            SESSION),
        List.of(
            "parley send bob Which port is it?",
            "parley send ann,ben --type status The parser is ready.",
            "parley send bob --type task --subject \"Tests for Topic\" --body \"Cover the"
                + " limits.\"",
            "parley send bob --type question --body \"Which port?\" --needs-reply --deadline 10m",
            "git diff | parley send all --subject \"Please look\" --body -",
            "parley send bob --subject \"The key you asked for\" --body - <key.txt"));
  }

  @Override
  public int run(Invocation invocation) throws IOException {
    Arguments arguments = invocation.arguments();
    CommandContext context = CommandContext.open(invocation);
    Draft draft = draft(invocation, context);
    String session = arguments.value(SESSION);
    SessionMail keeping = session == null ? null : SessionMail.under(invocation, session, null);
    Mail mail = context.mail();
    SendResult result = arguments.has(ANYWAY) ? mail.sendAnyway(draft) : mail.send(draft);
    if (session == null || keeping == null) {
      SendAnswer.print(invocation.out(), result, null);
    } else {
      SendAnswer.printKept(invocation.out(), result, session, keeping.keep(mail, result));
    }
    return ExitCode.OK;
  }

  private static Draft draft(Invocation invocation, CommandContext context) throws IOException {
    Arguments arguments = invocation.arguments();
    String deadline = arguments.value(DEADLINE);
    Draft draft =
        Draft.to(recipients(arguments).toArray(String[]::new))
            .type(arguments.value(TYPE, Draft.DEFAULT_TYPE))
            .says(
                arguments.value(SUBJECT, ""),
                Body.letter(invocation, context.bus(), body(arguments, context)))
            .priority(Priority.named(arguments.value(PRIORITY, "normal")))
            .thread(arguments.value(THREAD))
            .replyTo(arguments.value(REPLY_TO))
            .artifacts(arguments.values(ARTIFACT))
            .metadata(metadata(arguments.value(METADATA)))
            .escalateTo(arguments.value(ESCALATE))
            .key(arguments.value(KEY))
            .automatic(arguments.has(AUTOMATIC))
            .of(arguments.value(RUN), arguments.value(TASK));
    if (deadline != null) {
      return draft.needsReply(Times.system().future(DEADLINE.name(), deadline));
    }
    return arguments.has(NEEDS_REPLY) ? draft.needsReply(null) : draft;
  }

  /** With --body, words after the first are recipients, as they used to be. */
  private static List<String> recipients(Arguments arguments) {
    List<String> names = new ArrayList<>(List.of(arguments.required(TO).split(",", -1)));
    if (arguments.has(BODY)) {
      names.addAll(arguments.words(WORDS));
    }
    return names.stream().map(String::strip).filter(name -> !name.isEmpty()).toList();
  }

  private static String body(Arguments arguments, CommandContext context) {
    String body = arguments.value(BODY);
    List<String> words = arguments.words(WORDS);
    if (body != null) {
      return body;
    }
    if (words.size() == 1 && isAgent(context, words.getFirst())) {
      throw ParleyException.invalid(
          "body-is-a-name",
          "\"" + words.getFirst() + "\" is an agent, and would be all that the message says.",
          "To several agents: parley send "
              + arguments.required(TO)
              + ","
              + words.getFirst()
              + " <text>. If it is the text: --body "
              + words.getFirst());
    }
    String text = String.join(" ", words);
    if (text.isBlank() && !arguments.has(SUBJECT) && !arguments.has(ARTIFACT)) {
      throw ParleyException.invalid(
          "empty-message",
          "The message says nothing.",
          "parley send " + arguments.required(TO) + " <text>, or --body - to read stdin");
    }
    return text;
  }

  private static boolean isAgent(CommandContext context, String word) {
    return context.team().ledger().look(ledger -> ledger.roster().knows(word));
  }

  private static @Nullable Json metadata(@Nullable String text) {
    if (text == null) {
      return null;
    }
    try {
      Json json = Json.parse(text);
      if (json.isObject()) {
        return json;
      }
    } catch (JsonException e) {
      // As bad as something else than an object.
    }
    throw ParleyException.invalid(
        "bad-metadata", "--metadata is not a JSON object.", "Quote it: '{\"key\":\"value\"}'");
  }
}
