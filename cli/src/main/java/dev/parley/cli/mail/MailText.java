package dev.parley.cli.mail;

import dev.parley.cli.terminal.Output;
import dev.parley.cli.terminal.Printable;
import dev.parley.cli.terminal.Style;
import dev.parley.cli.terminal.Table;
import dev.parley.cli.terminal.Times;
import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Priority;
import dev.parley.coordination.mail.ReceivedMail;
import dev.parley.coordination.mailbox.MailContent;
import dev.parley.core.bus.Bus;
import java.time.Instant;
import java.util.List;

/** Prints mail for people. Bodies are indented: they are data, whatever they look like. */
final class MailText {
  private final Output out;
  private final Times times;

  MailText(Output out, Times times) {
    this.out = out;
    this.times = times;
  }

  /** Prints one line a message. */
  void list(List<ReceivedMail> letters) {
    Table table = new Table();
    table.row("ID", "WHEN", "FROM", "TYPE", "STATE", "SUBJECT");
    for (ReceivedMail letter : letters) {
      table.row(
          Printable.text(letter.entry().id()),
          when(letter),
          Printable.text(letter.entry().from()),
          Printable.text(letter.entry().type()) + urgency(letter.entry().priority()),
          state(letter),
          subject(letter.content()) + due(letter));
    }
    table.print(out);
  }

  /** Prints one message, with the selected part of its body. */
  void whole(ShownMail shown) {
    whole(shown.letter());
    if (!shown.part().isWhole()) {
      out.line("  " + shown.part().remark());
    }
  }

  private void whole(ReceivedMail letter) {
    out.line(
        out.styled(Style.BOLD, Printable.text(letter.entry().id()))
            + "  "
            + Printable.text(letter.entry().type())
            + urgency(letter.entry().priority())
            + " from "
            + out.styled(Style.BOLD, Printable.text(letter.entry().from()))
            + ", "
            + when(letter)
            + ", "
            + state(letter)
            + due(letter));
    if (!letter.content().subject().isEmpty()) {
      out.line("  " + out.styled(Style.CYAN, Printable.text(letter.content().subject())));
    }
    letter.content().body().lines().forEach(line -> out.line("  " + Printable.text(line)));
    MailContent.Beside beside = letter.content().beside();
    if (beside != null) {
      out.line("  … (" + beside.size() + " bytes, " + Printable.text(beside.digest()) + ")");
    }
    letter.content().artifacts().forEach(file -> out.line("  + " + Printable.text(file)));
    if (letter.content().metadata() != null && !letter.entry().from().equals(Bus.SYSTEM)) {
      out.line("  " + Printable.json(letter.content().metadata().toString()));
    }
  }

  /** How to end a message; only a message that is no answer itself, or asks again, needs one. */
  static String next(ReceivedMail letter) {
    String id = letter.entry().id();
    boolean asks = letter.entry().needsReply() || !letter.entry().type().equals("reply");
    String answer =
        letter.entry().from().equals(Bus.SYSTEM)
            ? nextOfNotice(letter)
            : asks ? "parley reply " + id + " <text>, or " : "";
    return "Next: " + answer + "parley inbox ack " + id;
  }

  /** Nobody reads a reply to a notice of Parley's. It names the board or agent that waits. */
  private static String nextOfNotice(ReceivedMail letter) {
    Fields about =
        letter.content().metadata() == null
            ? Fields.of(null)
            : Fields.of(letter.content().metadata());
    String board = about.text("board");
    String asker = about.text("asker");
    if (board != null) {
      return "parley board show " + Printable.text(board) + ", or ";
    }
    return asker == null
        ? ""
        : "parley send "
            + Printable.text(asker)
            + (about.text("thread") == null
                ? ""
                : " --thread " + Printable.text(about.text("thread", "")))
            + " <text>, or ";
  }

  private String when(ReceivedMail letter) {
    Instant time = letter.envelope().time();
    return time == null ? "-" : times.ago(time);
  }

  private static String urgency(Priority priority) {
    return priority == Priority.NORMAL ? "" : " " + priority.word();
  }

  private static String state(ReceivedMail letter) {
    return letter.state().word() + (letter.again() ? ", again" : "");
  }

  /** The subject, or the first line of a body without one. */
  static String subject(MailContent content) {
    return Printable.headline(content.subject(), content.body());
  }

  private String due(ReceivedMail letter) {
    Instant deadline = letter.entry().deadline();
    if (!letter.entry().needsReply()) {
      return "";
    }
    return deadline == null
        ? "  (needs a reply)"
        : "  (needs a reply by " + times.clock(deadline) + ")";
  }
}
