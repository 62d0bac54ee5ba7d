package dev.parley.cli.mail;

import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.coordination.mail.Mailbox;
import dev.parley.coordination.mail.Receipt;
import dev.parley.json.MailJson;
import org.jspecify.annotations.Nullable;

/** Tells a sender how far a message came. */
final class SendAnswer {
  private SendAnswer() {}

  /**
   * @param answered the id of the message it answers; null if it answers none
   */
  static void print(Output out, Receipt receipt, @Nullable String answered) {
    if (out.isJson()) {
      out.line(MailJson.of(receipt, answered));
      return;
    }
    for (Receipt.Copy copy : receipt.copies()) {
      out.line(
          MailJson.state(copy)
              + " "
              + copy.position().in(Mailbox.mailOf(copy.to()))
              + " ("
              + copy.id()
              + ") for "
              + copy.to());
      if (copy.warning() != null) {
        out.line("  " + Printable.text(copy.warning()) + ".");
      }
    }
    if (answered != null) {
      out.line(answered + " is done: answered.");
    }
  }
}
