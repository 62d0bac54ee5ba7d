package dev.parley.coordination.mail;

import dev.parley.coordination.fold.FoldReader;
import dev.parley.coordination.ledger.LedgerOwner;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.mailbox.ClockReading;
import dev.parley.coordination.mailbox.Mailbox;
import dev.parley.coordination.mailbox.MailboxEntry;
import dev.parley.coordination.mailbox.Outbox;
import dev.parley.core.Log;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Position;
import dev.parley.core.Reporter;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.core.store.Contents;
import dev.parley.core.store.Views;
import java.util.List;

/** The dependencies that one session's mail operations share. Used by one thread at a time. */
record MailContext(
    Session session,
    LedgerOwner owner,
    Mailboxes mailboxes,
    FoldReader<Outbox> outbox,
    MailDelivery posting,
    Deadlines deadlines,
    DueWork due,
    Contents contents) {

  static MailContext of(
      Session session,
      LedgerOwner owner,
      DueWork due,
      Log log,
      Views views,
      Contents contents,
      Reporter reporter) {
    Mailboxes mailboxes = new Mailboxes(log, views, reporter);
    FoldReader<Outbox> outbox = new FoldReader<>(log, views, reporter, Outbox.kind(session.name()));
    MailDelivery delivery = new MailDelivery(owner, mailboxes, outbox, contents);
    Deadlines deadlines = new Deadlines(owner, mailboxes, delivery);
    return new MailContext(session, owner, mailboxes, outbox, delivery, deadlines, due, contents);
  }

  String me() {
    return session.name();
  }

  ClockReading moment() {
    return new ClockReading(log().clock().now(), owner.wall());
  }

  Log log() {
    return mailboxes.log();
  }

  /** The mailbox of this agent, after a check that the session still has its name. */
  Mailbox mailbox() {
    var _ = owner.present(session);
    return mailboxes.of(me());
  }

  /** The same, after due work was done for all agents. */
  Mailbox checkedMailbox() {
    due.processNowAndThen(me());
    return checked(me());
  }

  /** The mailbox of any agent, after its deadlines were checked. */
  Mailbox checked(String agent) {
    var _ = owner.present(session);
    return deadlines.check(agent, moment(), me());
  }

  /** A message in this agent's mailbox that has not ended. */
  MailboxEntry open(Mailbox mailbox, String id) {
    MailboxEntry entry = mailbox.find(id);
    if (entry == null) {
      throw ParleyException.refused(
          "no-such-message", Json.object().put("id", id).put("agent", me()));
    }
    if (entry.hasEnded()) {
      throw MailCompletion.alreadyEnded(entry);
    }
    return entry;
  }

  Position append(Topic topic, Message message) {
    return log().append(topic, List.of(message)).getFirst().position();
  }
}
