package dev.parley.coordination.mail;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.FoldReader;
import dev.parley.coordination.mailbox.EndReason;
import dev.parley.coordination.mailbox.MailTypes;
import dev.parley.coordination.mailbox.Mailbox;
import dev.parley.coordination.mailbox.MailboxEntry;
import dev.parley.core.Envelope;
import dev.parley.core.Log;
import dev.parley.core.Message;
import dev.parley.core.Position;
import dev.parley.core.Prefix;
import dev.parley.core.Reporter;
import dev.parley.core.Topic;
import dev.parley.core.WholeTopic;
import dev.parley.core.json.Json;
import dev.parley.core.store.Views;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Finds receipts that the owner of the mailbox did not write, and takes back what receipts have
 * stated.
 */
public final class ForgedReceipts {
  private static final Prefix RECEIPTS = Prefix.of("receipts");

  private ForgedReceipts() {}

  /** Calls back with each receipt that another agent than the owner of the mailbox wrote. */
  public static void run(Log log, Consumer<Envelope> found) {
    for (Topic topic : log.topics(RECEIPTS)) {
      WholeTopic.forEach(
          log,
          topic,
          line -> {
            if (isOfAStranger(line)) {
              found.accept(line);
            }
          });
    }
  }

  /**
   * Any agent may mark a message as overdue or dead. Only the recipient may state what it has read.
   */
  private static boolean isOfAStranger(Envelope line) {
    boolean speaksForReader =
        line.type().equals(MailTypes.RECEIPT)
            || (line.type().equals(MailTypes.END)
                && EndReason.find(Fields.of(line.payload()).text("how", "")) != EndReason.DEAD);
    return line.isNative()
        && speaksForReader
        && !Mailbox.receiptsOf(line.sender()).equals(line.topic());
  }

  /**
   * Takes back what lines of an agent's receipts have stated.
   *
   * @return the lines that had an effect to take back
   */
  public static List<Position> undo(
      Log log,
      Views views,
      Reporter reporter,
      String agent,
      String sender,
      List<Position> lines,
      String reason) {
    FoldReader<Mailbox> folded = new FoldReader<>(log, views, reporter, Mailbox.of(agent));
    Mailbox mailbox = folded.refresh();
    Topic receipts = Mailbox.receiptsOf(agent);
    List<Position> effective = new ArrayList<>();
    for (Position line : lines) {
      String proof = line.in(receipts);
      if (proves(mailbox.inbox(), proof) || proves(mailbox.recent(), proof)) {
        effective.add(line);
      }
    }
    if (!effective.isEmpty()) {
      Json payload =
          Json.object()
              .put("mailbox", mailbox.first())
              .put(
                  "positions",
                  Json.of(effective.stream().map(line -> Json.of(line.value())).toList()))
              .put("reason", reason)
              .build();
      Message message = Message.of(sender, MailTypes.UNDO, payload).withClock();
      var _ = log.append(receipts, List.of(message));
      var _ = folded.refresh();
    }
    return effective;
  }

  private static boolean proves(Iterable<MailboxEntry> entries, String proof) {
    for (MailboxEntry entry : entries) {
      if (entry.trail().stream().anyMatch(step -> step.proof().equals(proof))) {
        return true;
      }
    }
    return false;
  }
}
