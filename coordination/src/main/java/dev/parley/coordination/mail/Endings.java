package dev.parley.coordination.mail;

import dev.parley.core.AgentName;
import dev.parley.core.Envelope;
import dev.parley.core.ParleyException;
import dev.parley.core.Position;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Brings messages of one's own inbox to their ends: answered, acknowledged, refused, removed. Of
 * several who try, the first in the receipts has ended a message; the others are told.
 */
final class Endings {
  private final MailContext context;

  Endings(MailContext context) {
    this.context = context;
  }

  Receipt reply(String id, Draft draft) {
    Mailbox mailbox = context.mailbox();
    Entry entry = context.open(mailbox, id);
    Draft answer = answer(entry, draft);
    Receipt receipt = post(mailbox, entry, answer);
    String proof = receipt.first().id();
    checkEnded(end(mailbox, List.of(entry), How.ANSWERED, proof), How.ANSWERED.note(proof));
    return receipt;
  }

  void refuse(Collection<String> ids, String reason) {
    Mailbox mailbox = context.mailbox();
    List<Entry> entries = ids.stream().map(id -> context.open(mailbox, id)).toList();
    for (Entry entry : entries) {
      if (!entry.automatic() && AgentName.isValid(entry.from())) {
        Draft refusal = Draft.answer(reason).type(MailTypes.REFUSAL).says("Refused", reason);
        var _ = post(mailbox, entry, answer(entry, refusal));
      }
    }
    checkEnded(end(mailbox, entries, How.REFUSED, reason), How.REFUSED.note(reason));
  }

  /** A message has one answer, whoever tries: so all use the same key. */
  private static Draft answer(Entry entry, Draft draft) {
    return draft
        .sentTo(entry.from())
        .thread(entry.thread())
        .replyTo(entry.id())
        .key("reply:" + entry.id());
  }

  private Receipt post(Mailbox mailbox, Entry entry, Draft answer) {
    Receipt receipt = context.posting().send(context.me(), answer, true);
    checkOurs(mailbox, entry, receipt.first(), answer);
    return receipt;
  }

  /**
   * Makes sure that what was sent before with the key of an answer is this very answer: one that
   * was interrupted is completed, but of two that differ only the first was ever sent.
   */
  private void checkOurs(Mailbox mailbox, Entry entry, Receipt.Copy copy, Draft answer) {
    Mailboxes mailboxes = context.mailboxes();
    Entry there = copy.repeated() ? mailboxes.of(copy.to()).find(copy.id()) : null;
    Envelope sent = there == null ? null : mailboxes.read(copy.to(), there);
    if (sent == null
        || (sent.type().equals(answer.type()) && Content.of(sent).isSame(answer.content()))) {
      return;
    }
    boolean refusal = sent.type().equals(MailTypes.REFUSAL);
    var _ =
        end(
            mailbox,
            List.of(entry),
            refusal ? How.REFUSED : How.ANSWERED,
            refusal ? Content.of(sent).body() : copy.id());
    throw alreadyEnded(entry);
  }

  void endAll(Collection<String> ids, How how) {
    Mailbox mailbox = context.mailbox();
    List<Entry> entries = ids.stream().map(id -> context.open(mailbox, id)).toList();
    checkEnded(end(mailbox, entries, how, null), null);
  }

  int clear() {
    Mailbox mailbox = context.mailbox();
    List<Entry> entries = List.copyOf(mailbox.inbox());
    return entries.size() - end(mailbox, entries, How.REMOVED, null).size();
  }

  /** Ends messages; gives back those that something else ended before. */
  private List<Entry> end(Mailbox mailbox, List<Entry> entries, How how, @Nullable String reason) {
    if (entries.isEmpty()) {
      return List.of();
    }
    String me = context.me();
    Topic receipts = Mailbox.receiptsOf(me);
    Position ended =
        context.append(
            receipts, Receipts.end(mailbox, me, context.session().id(), entries, how, reason));
    String proof = ended.in(receipts);
    Mailbox after = context.mailboxes().folded(me).refreshThrough(receipts, ended);
    // The entries of a mailbox go on with it, also when it has forgotten them.
    return entries.stream()
        .map(entry -> after.equals(mailbox) ? entry : after.find(entry.id()))
        .filter(Objects::nonNull)
        .filter(entry -> entry.trail().stream().noneMatch(step -> step.proof().equals(proof)))
        .toList();
  }

  /**
   * @param same how another may have ended them without harm: with the same answer
   */
  private static void checkEnded(List<Entry> before, @Nullable String same) {
    for (Entry entry : before) {
      if (same == null || !same.equals(entry.trail().getLast().note())) {
        throw alreadyEnded(entry);
      }
    }
  }

  static ParleyException alreadyEnded(Entry entry) {
    Step last = entry.trail().getLast();
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
