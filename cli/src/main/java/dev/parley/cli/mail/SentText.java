package dev.parley.cli.mail;

import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Table;
import dev.parley.cli.terminal.Times;
import dev.parley.coordination.mail.Mail;
import dev.parley.coordination.mail.SentMail;
import dev.parley.coordination.mailbox.MailContent;
import dev.parley.json.MailJson;
import java.time.Instant;
import java.util.List;

/** Prints sent messages and their state. */
final class SentText {
  private SentText() {}

  static void print(Output out, Mail mail, List<SentMail> sent) {
    if (out.isJson()) {
      sent.forEach(letter -> out.line(MailJson.of(letter)));
      return;
    }
    if (sent.isEmpty()) {
      out.line("Nothing.");
      return;
    }
    Times times = Times.system();
    Table table = new Table();
    table.row("ID", "WHEN", "TO", "TYPE", "STATE", "SUBJECT");
    for (SentMail letter : sent) {
      Instant at = letter.sent().at();
      table.row(
          Printable.text(letter.copy().id()),
          at == null ? "-" : times.ago(at),
          Printable.text(letter.copy().to()),
          Printable.text(letter.sent().type()),
          state(letter),
          subject(mail, letter));
    }
    table.print(out);
  }

  private static String subject(Mail mail, SentMail letter) {
    MailContent content = mail.content(letter);
    return content == null ? Printable.text(letter.sent().subject()) : MailText.subject(content);
  }

  /** The state, and the reason why nobody has got the message yet. */
  private static String state(SentMail letter) {
    String warning = letter.warning();
    boolean open = letter.state().equals("stored") || letter.state().equals("overdue");
    return letter.state() + (open && warning != null ? " (" + Printable.text(warning) + ")" : "");
  }
}
