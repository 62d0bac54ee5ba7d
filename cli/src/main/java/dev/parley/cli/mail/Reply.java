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

/** Answers a message. */
public final class Reply implements Command {
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
    String typed = body(arguments);
    String body = Body.letter(invocation, context.bus(), typed);
    Draft draft =
        Draft.answer(body)
            .type(arguments.value(TYPE, "reply"))
            .says(arguments.value(SUBJECT, ""), body)
            .artifacts(arguments.values(ARTIFACT));
    SendResult result = mail.reply(id, arguments.has(NEEDS_REPLY) ? draft.needsReply(null) : draft);
    SendAnswer.print(invocation.out(), result, id);
    return ExitCode.OK;
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
    String text = body == null ? words : body;
    if (text.isBlank()) {
      throw ParleyException.invalid(
          "empty-message", "The answer is empty.", "parley reply <id> <text>, or --body -");
    }
    return text;
  }
}
