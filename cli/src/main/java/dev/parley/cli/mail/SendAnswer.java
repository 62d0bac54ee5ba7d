package dev.parley.cli.mail;

import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.coordination.mail.SendResult;
import dev.parley.coordination.mailbox.Mailbox;
import dev.parley.core.json.Json;
import dev.parley.json.MailJson;
import org.jspecify.annotations.Nullable;

/** Tells a sender how far a message has got. */
final class SendAnswer {
  private SendAnswer() {}

  /**
   * Prints as well whether the message is kept in a database.
   *
   * @param trouble why it is not; null if it is
   */
  static void printKept(Output out, SendResult result, String session, @Nullable String trouble) {
    if (out.isJson()) {
      Json.ObjectBuilder json = Json.object();
      MailJson.of(result, null).fields().forEach(json::put);
      json.put("session", session).put("kept", trouble == null);
      if (trouble != null) {
        json.put("notKept", trouble);
      }
      out.line(json.build());
      return;
    }
    print(out, result, null);
    out.line(
        trouble == null
            ? "stored under session " + Printable.text(session)
            : "delivered, but not stored in the database: " + Printable.text(trouble));
  }

  /**
   * @param answered the id of the message it answers; null if it answers none
   */
  static void print(Output out, SendResult result, @Nullable String answered) {
    if (out.isJson()) {
      out.line(MailJson.of(result, answered));
      return;
    }
    for (SendResult.Copy copy : result.copies()) {
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
