package dev.parley.cli.mail;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.Body;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.team.CommandContext;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.coordination.mail.Draft;
import dev.parley.coordination.mail.Mail;
import dev.parley.coordination.mail.SendResult;
import dev.parley.core.ParleyException;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers a message. */
public final class ReplyCommand implements Command {
  private static final Parameter ID = Parameter.required("id", "the message to answer");
  private static final Option BODY = Body.option("the text");
  private static final Parameter WORDS =
      Parameter.optional("text", "the text (or --body)").repeated();
  private static final Option SUBJECT = Option.value("--subject", "text", "the subject");
  private static final Option TYPE = Option.value("--type", "type", "the message type (reply)");
  private static final Option ARTIFACT =
      Option.value("--artifact", "file", "a related file; repeatable").repeated();
  private static final Option NEEDS_REPLY = Option.flag("--needs-reply", "request an answer");

  @Override
  public Description description() {
    return new Description(
        "reply",
        Group.EVERYDAY,
        "answer a message",
        "Sends an answer to the sender in the same thread and marks the message as done. A message"
            + " has one answer; to add to it, send another message in the thread.",
        List.of(ID, WORDS),
        List.of(BODY, SUBJECT, TYPE, ARTIFACT, NEEDS_REPLY),
        List.of(
            "parley reply iuaf Port 8080.", "parley reply iuafxfgglvnuwm5w-1 --body - <answer.md"));
  }

  @Override
  public int run(Invocation invocation) throws IOException {
    Arguments arguments = invocation.arguments();
    CommandContext context = CommandContext.open(invocation);
    Mail mail = context.mail();
    context.team().waking(context.session()).acted();
    String id = MessageId.received(mail, arguments.required(ID));
    String body = Body.letter(invocation, context.bus(), body(arguments));
    if (body.isBlank()) {
      throw ParleyException.invalid(
          "empty-message", "The answer is empty.", "parley reply <id> <text>, or --body -");
    }
    Draft draft =
        Draft.answer(body)
            .type(arguments.value(TYPE, "reply"))
            .says(arguments.value(SUBJECT, ""), body)
            .artifacts(arguments.values(ARTIFACT));
    SendAnswer.print(
        invocation.out(),
        reply(context, mail, id, arguments.has(NEEDS_REPLY) ? draft.needsReply(null) : draft),
        id);
    return ExitCode.OK;
  }

  /** A message to another agent is answered in the name of that agent, which the error says. */
  private static SendResult reply(CommandContext context, Mail mail, String id, Draft draft) {
    try {
      return mail.reply(id, draft);
    } catch (ParleyException e) {
      String owner = e.code().equals("no-such-message") ? ownerOf(context, id) : null;
      if (owner == null) {
        throw e;
      }
      throw ParleyException.refused(
          "no-such-message",
          "The message " + id + " is in the inbox of " + owner + ".",
          "To answer it in " + owner + "'s name: parley reply " + id + " <text> --as " + owner);
    }
  }

  private static @Nullable String ownerOf(CommandContext context, String id) {
    for (String name : context.team().ledger().look(ledger -> ledger.roster().names())) {
      boolean has =
          context.team().lookAtInbox(name).stream()
              .anyMatch(letter -> letter.entry().id().startsWith(id));
      if (has) {
        return name;
      }
    }
    return null;
  }

  private static String body(Arguments arguments) {
    String body = arguments.value(BODY);
    String words = String.join(" ", arguments.words(WORDS));
    if (body != null && !words.isEmpty()) {
      throw ParleyException.invalid(
          "too-many-arguments",
          "The answer is given twice: as arguments and with --body.",
          "Give it once.");
    }
    return body == null ? words : body;
  }
}
