package dev.parley.cli.mail;

import dev.parley.cli.command.BodyPart;
import dev.parley.coordination.mail.ReceivedMail;
import dev.parley.coordination.mailbox.MailContent;
import dev.parley.core.json.Json;

/**
 * A message, and the part of its body that is shown.
 *
 * @param letter the message with that part as its body
 */
record ShownMail(ReceivedMail letter, BodyPart.Shown part) {
  /**
   * @param command the command that shows the rest
   */
  static ShownMail of(BodyPart wanted, ReceivedMail letter, String command) {
    MailContent content = letter.content();
    BodyPart.Shown part = wanted.of(letter.entry().id(), content.body(), command);
    if (part.isWhole()) {
      return new ShownMail(letter, part);
    }
    ReceivedMail cut =
        new ReceivedMail(
            letter.entry(),
            letter.envelope(),
            new MailContent(
                content.subject(),
                part.text(),
                content.artifacts(),
                content.metadata(),
                content.escalateTo(),
                content.beside()),
            letter.state(),
            letter.again());
    return new ShownMail(cut, part);
  }

  Json toJson() {
    return part.in(letter.toJson(), "body");
  }
}
