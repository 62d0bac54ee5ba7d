package dev.parley.cli.journal;

import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Style;
import dev.parley.dialects.markdown.JournalMessage;

/** Prints a journal's messages. */
final class MessageText {
  private final Output out;

  MessageText(Output out) {
    this.out = out;
  }

  void print(JournalMessage message) {
    if (out.isJson()) {
      out.line(message.toJson());
      return;
    }
    String agent = message.agent().isEmpty() ? "?" : message.agent();
    out.line(
        out.styled(Style.BOLD, Printable.text(message.type()))
            + "  "
            + Printable.text(agent)
            + "  "
            + Printable.text(message.timestamp())
            + "  "
            + out.styled(Style.DIM, Printable.text(message.messageId())));
    if (message.relatesTo() != null) {
      out.line("  relates to " + Printable.text(message.relatesTo()));
    }
    message.body().lines().forEach(line -> out.line("  " + Printable.text(line)));
  }
}
