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
      Parameter.required("to", "an agent, several (ann,ben), or all other agents (all)");
  private static final Parameter WORDS =
      Parameter.optional("text", "the text (or --body)").repeated();
  private static final Option TYPE =
      Option.value(
          "--type",
          "type",
          "the message type: task, result, question, feedback, status, finding, artifact, review,"
              + " design, or any other word (message)");
  private static final Option SUBJECT = Option.value("--subject", "text", "the subject");
  private static final Option BODY = Body.option("the text");
  private static final Option PRIORITY =
      Option.value("--priority", "priority", "the priority (normal)")
          .choices("low", "normal", "high", "critical");
  private static final Option THREAD = Option.value("--thread", "id", "the thread");
  private static final Option REPLY_TO =
      Option.value("--reply-to", "id", "the id of a related message (see parley reply)");
  private static final Option NEEDS_REPLY = Option.flag("--needs-reply", "request an answer");
  private static final Option DEADLINE =
      Option.value("--deadline", "time", "when the answer is due: 90s, 10m, 2h, or a time");
  private static final Option ESCALATE =
      Option.value(
          "--escalate-to", "agent", "the agent notified if no answer arrives in time (human)");
  private static final Option ARTIFACT =
      Option.value("--artifact", "file", "a related file; repeatable").repeated();
  private static final Option METADATA =
      Option.value("--metadata", "json", "further data, as a JSON object");
  private static final Option KEY =
      Option.value(
          "--key", "key", "idempotency key: a second message with the same key is not stored");
  private static final Option RUN = Option.value("--run", "name", "the run");
  private static final Option TASK = Option.value("--task", "name", "the task");
  private static final Option AUTOMATIC =
      Option.flag("--automatic", "mark the message as sent by automation");
  private static final Option ANYWAY = Option.flag("--anyway", "allow unknown recipients");

  private static final Option SESSION =
      Option.value(
          "--session", "id", "also store it in a Swarm folder's database (see parley session)");

  @Override
  public Description description() {
    return new Description(
        "send",
        Group.EVERYDAY,
        "send a message to agents",
        "Delivers a message to the inboxes of the named agents. The answer \"stored\" means that"
            + " the message is in the log, not that anyone has read it; parley inbox sent and"
            + " parley show report when it was delivered, seen and done. The command warns about"
            + " recipients that are silent or have not joined yet, and refuses unknown ones."
            + " Arguments are visible to everyone on this machine in the process list: give what is"
            + " private on stdin, with --body -.",
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
            "parley send bob \"Which port is it?\"",
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
                notEmpty(
                    arguments, Body.letter(invocation, context.bus(), body(arguments, context))))
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

  /** With --body, all words after the first are recipients, as in earlier versions. */
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
          "\"" + words.getFirst() + "\" is an agent's name, and would be the whole message.",
          "To several agents: parley send "
              + arguments.required(TO)
              + ","
              + words.getFirst()
              + " <text>. To send it as the text: --body "
              + words.getFirst());
    }
    return String.join(" ", words);
  }

  /** What is read from stdin may be empty too. */
  private static String notEmpty(Arguments arguments, String text) {
    if (text.isBlank()
        && arguments.value(SUBJECT, "").isBlank()
        && !arguments.has(ARTIFACT)
        && !arguments.has(METADATA)) {
      throw ParleyException.invalid(
          "empty-message",
          "The message is empty.",
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
      // Treated like JSON that is not an object.
    }
    throw ParleyException.invalid(
        "bad-metadata", "--metadata is not a JSON object.", "Quote it: '{\"key\":\"value\"}'");
  }
}
