package dev.parley.coordination.mail;

import dev.parley.coordination.ledger.Ledger;
import dev.parley.core.Envelope;
import dev.parley.core.ParleyException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What an agent sends, and what became of what it sent. */
final class Outgoing {
  private final Office office;

  Outgoing(Office office) {
    this.office = office;
  }

  Receipt send(Draft draft, boolean anyway) {
    return office.posting().send(office.present(), office.now(), office.me(), draft, anyway);
  }

  List<SentLetter> list() {
    Ledger ledger = office.present();
    List<SentLetter> letters = new ArrayList<>();
    Map<String, Mailbox> looked = new HashMap<>();
    for (Outbox.Sent sent : office.outbox().refresh().sent()) {
      for (Outbox.Copy copy : sent.copies()) {
        Mailbox mailbox =
            looked.computeIfAbsent(
                copy.to(),
                to -> office.deadlines().check(to, ledger, office.moment(), office.me()));
        Entry entry = mailbox.find(copy.id());
        letters.add(
            new SentLetter(
                sent,
                copy,
                entry == null ? null : entry.asItIs(),
                Posting.warning(ledger, office.now(), copy.to())));
      }
    }
    return letters;
  }

  @Nullable Letter find(String id) {
    for (Outbox.Sent sent : office.outbox().refresh().sent()) {
      for (Outbox.Copy copy : sent.copies()) {
        Entry entry = copy.id().equals(id) ? office.mailboxes().of(copy.to()).find(id) : null;
        if (entry != null) {
          return office.letter(copy.to(), entry);
        }
      }
    }
    return null;
  }

  Receipt resend(String id) {
    for (SentLetter sent : list()) {
      Entry entry = sent.entry();
      if (sent.copy().id().equals(id) && entry != null && entry.has(State.DEAD)) {
        Envelope envelope = office.mailboxes().read(sent.copy().to(), entry);
        if (envelope != null) {
          Draft again =
              Draft.to(sent.copy().to())
                  .type(entry.type())
                  .content(Content.of(envelope))
                  .priority(entry.priority())
                  .thread(entry.thread())
                  .replyTo(entry.replyTo());
          return send(entry.needsReply() ? again.needsReply(null) : again, true);
        }
      }
    }
    throw ParleyException.invalid(
        "no-such-dead-letter",
        id + " is not a dead letter that you sent.",
        "parley inbox dead lists them.");
  }
}
