package dev.parley.coordination.mail;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.mailbox.DeliveryStep;
import dev.parley.coordination.mailbox.EndReason;
import dev.parley.coordination.mailbox.MailContent;
import dev.parley.coordination.mailbox.MailTypes;
import dev.parley.coordination.mailbox.Mailbox;
import dev.parley.coordination.mailbox.MailboxEntry;
import dev.parley.core.AgentName;
import dev.parley.core.Envelope;
import dev.parley.core.ParleyException;
import dev.parley.core.Position;
import dev.parley.core.Topic;
import dev.parley.core.bus.Bus;
import dev.parley.core.json.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Ends messages in the inbox of a session: answers, acknowledges, refuses, removes. If several try,
 * the first line in the receipts ends the message, and the others get an error.
 */
final class MailCompletion {
  /** In a notice of Parley's: who waits for an answer, and in which thread. */
  static final String ASKER = "asker";

  static final String THREAD = "thread";

  private final MailContext context;

  MailCompletion(MailContext context) {
    this.context = context;
  }

  SendResult reply(String id, Draft draft) {
    Mailbox mailbox = context.mailbox();
    MailboxEntry entry = context.open(mailbox, id);
    if (entry.from().equals(Bus.SYSTEM)) {
      throw noReply(entry);
    }
    Draft answer = answer(entry, draft);
    SendResult result = post(mailbox, entry, answer);
    String proof = result.first().id();
    checkEnded(
        end(mailbox, List.of(entry), EndReason.ANSWERED, proof), EndReason.ANSWERED.note(proof));
    return result;
  }

  /** Parley itself reads no mail. An escalation names who does wait for an answer. */
  private ParleyException noReply(MailboxEntry entry) {
    Envelope envelope = context.mailboxes().read(context.me(), entry);
    Json metadata = envelope == null ? null : MailContent.of(envelope).metadata();
    Fields about = metadata == null ? Fields.of(null) : Fields.of(metadata);
    return ParleyException.refused(
        "no-reply",
        Json.object()
            .put("id", entry.id())
            .put("from", about.text(ASKER))
            .put("thread", about.text(THREAD)));
  }

  void refuse(Collection<String> ids, String reason) {
    Mailbox mailbox = context.mailbox();
    List<MailboxEntry> entries = ids.stream().map(id -> context.open(mailbox, id)).toList();
    for (MailboxEntry entry : entries) {
      if (!entry.automatic() && AgentName.isValid(entry.from())) {
        Draft refusal = Draft.answer(reason).type(MailTypes.REFUSAL).says("Refused", reason);
        var _ = post(mailbox, entry, answer(entry, refusal));
      }
    }
    checkEnded(end(mailbox, entries, EndReason.REFUSED, reason), EndReason.REFUSED.note(reason));
  }

  /** A message has one answer, so every attempt uses the same idempotency key. */
  private static Draft answer(MailboxEntry entry, Draft draft) {
    return draft
        .sentTo(entry.from())
        .thread(entry.thread())
        .replyTo(entry.id())
        .key("reply:" + entry.id());
  }

  private SendResult post(Mailbox mailbox, MailboxEntry entry, Draft answer) {
    SendResult result = context.posting().send(context.me(), answer, true);
    checkOurs(mailbox, entry, result.first(), answer);
    return result;
  }

  /**
   * Checks that a message with the key of this answer is this very answer. The same answer again
   * completes an interrupted reply. Of two different answers only the first was ever sent, so the
   * second fails.
   */
  private void checkOurs(Mailbox mailbox, MailboxEntry entry, SendResult.Copy copy, Draft answer) {
    Mailboxes mailboxes = context.mailboxes();
    MailboxEntry there = copy.repeated() ? mailboxes.of(copy.to()).find(copy.id()) : null;
    Envelope sent = there == null ? null : mailboxes.read(copy.to(), there);
    if (sent == null
        || (sent.type().equals(answer.type()) && MailContent.of(sent).isSame(answer.content()))) {
      return;
    }
    boolean refusal = sent.type().equals(MailTypes.REFUSAL);
    var _ =
        end(
            mailbox,
            List.of(entry),
            refusal ? EndReason.REFUSED : EndReason.ANSWERED,
            refusal ? MailContent.of(sent).body() : copy.id());
    throw alreadyEnded(entry);
  }

  void endAll(Collection<String> ids, EndReason how) {
    Mailbox mailbox = context.mailbox();
    List<MailboxEntry> entries = ids.stream().map(id -> context.open(mailbox, id)).toList();
    checkEnded(end(mailbox, entries, how, null), null);
  }

  /** Ends notices of boards that do not wait for this agent any more. */
  Mailbox endOldBoardCalls(Mailbox mailbox) {
    List<MailboxEntry> old = new ArrayList<>();
    for (MailboxEntry entry : mailbox.inbox()) {
      if (entry.type().equals(MailTypes.BOARD_CALL) && entry.from().equals(Bus.SYSTEM)) {
        Envelope envelope = context.mailboxes().read(context.me(), entry);
        Json notice = envelope == null ? null : MailContent.of(envelope).metadata();
        if (notice != null
            && context
                .owner()
                .lookAtLastKnown(ledger -> DueWork.isOver(ledger, context.me(), notice))) {
          old.add(entry);
        }
      }
    }
    if (old.isEmpty()) {
      return mailbox;
    }
    var _ = end(mailbox, old, EndReason.REMOVED, "the board does not wait for you any more");
    return context.mailboxes().of(context.me());
  }

  int clear() {
    Mailbox mailbox = context.mailbox();
    List<MailboxEntry> entries = List.copyOf(mailbox.inbox());
    return entries.size() - end(mailbox, entries, EndReason.REMOVED, null).size();
  }

  /** Ends messages; returns those that another line had ended before. */
  private List<MailboxEntry> end(
      Mailbox mailbox, List<MailboxEntry> entries, EndReason how, @Nullable String reason) {
    if (entries.isEmpty()) {
      return List.of();
    }
    String me = context.me();
    Topic receipts = Mailbox.receiptsOf(me);
    Position ended =
        context.append(
            receipts, ReceiptWriter.end(mailbox, me, context.session().id(), entries, how, reason));
    String proof = ended.in(receipts);
    Mailbox after = context.mailboxes().folded(me).refreshThrough(receipts, ended);
    // Entries of the same mailbox object are updated in place, also when the mailbox has dropped
    // them.
    return entries.stream()
        .map(entry -> after.equals(mailbox) ? entry : after.find(entry.id()))
        .filter(Objects::nonNull)
        .filter(entry -> entry.trail().stream().noneMatch(step -> step.proof().equals(proof)))
        .toList();
  }

  /**
   * @param same the note of an ending that does no harm, by the same answer; null if there is none
   */
  private static void checkEnded(List<MailboxEntry> before, @Nullable String same) {
    for (MailboxEntry entry : before) {
      if (same == null || !same.equals(entry.trail().getLast().note())) {
        throw alreadyEnded(entry);
      }
    }
  }

  static ParleyException alreadyEnded(MailboxEntry entry) {
    DeliveryStep last = entry.trail().getLast();
    return ParleyException.refused(
        "already-ended",
        Json.object()
            .put("id", entry.id())
            .put("state", last.state().word())
            .put("note", last.note())
            .put("from", entry.from())
            .put("thread", entry.thread()));
  }
}
