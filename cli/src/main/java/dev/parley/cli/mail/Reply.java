package dev.parley.cli.mail;

import dev.parley.cli.args.Arguments;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Group;
import dev.parley.cli.args.Option;
import dev.parley.cli.args.Parameter;
import dev.parley.cli.command.Body;
import dev.parley.cli.command.Command;
import dev.parley.cli.command.Invocation;
import dev.parley.cli.team.Desk;
import dev.parley.cli.terminal.ExitCode;
import dev.parley.coordination.mail.Draft;
import dev.parley.coordination.mail.Receipt;
import java.io.IOException;
import java.util.List;

/** Answers a message. */
public final class Reply implements Command {
  private static final Parameter ID = Parameter.required("id", "the message to answer");
  private static final Option BODY = Body.option("what it says").needed();
  private static final Option SUBJECT = Option.value("--subject", "text", "what it is about");
  private static final Option TYPE = Option.value("--type", "type", "such as result (reply)");
  private static final Option ARTIFACT =
      Option.value("--artifact", "file", "a file it speaks of; may be given several times")
          .repeated();
  private static final Option NEEDS_REPLY = Option.flag("--needs-reply", "an answer is expected");

  @Override
  public Description description() {
    return new Description(
        "reply",
        Group.EVERYDAY,
        "answer a message",
        "Sends an answer in the same thread to whoever sent the message; the message is done then."
            + " A message has one answer: to say more, send in its thread.",
        List.of(ID),
        List.of(BODY, SUBJECT, TYPE, ARTIFACT, NEEDS_REPLY),
        List.of(
            "parley reply iuafxfgglvnuwm5w-1 --body \"Port 8080.\"",
            "parley reply iuafxfgglvnuwm5w-1 --body - <answer.md"));
  }

  @Override
  public int run(Invocation invocation) throws IOException {
    Arguments arguments = invocation.arguments();
    String id = arguments.required(ID);
    Desk desk = Desk.open(invocation);
    String body = Body.letter(invocation, desk.bus(), arguments.required(BODY));
    Draft draft =
        Draft.answer(body)
            .type(arguments.value(TYPE, "reply"))
            .says(arguments.value(SUBJECT, ""), body)
            .artifacts(arguments.values(ARTIFACT));
    Receipt receipt =
        desk.mail().reply(id, arguments.has(NEEDS_REPLY) ? draft.needsReply(null) : draft);
    SendAnswer.print(invocation.out(), receipt, id);
    return ExitCode.OK;
  }
}
