package dev.parley.coordination.mail;

import dev.parley.coordination.fold.Folded;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.ledger.Sessions;
import dev.parley.core.Contents;
import dev.parley.core.Envelope;
import dev.parley.core.Log;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Position;
import dev.parley.core.Reporter;
import dev.parley.core.Topic;
import dev.parley.core.Views;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one session deals with its mail with. Used by one thread at a time. */
record Office(
    Session session,
    Sessions sessions,
    Mailboxes mailboxes,
    Folded<Outbox> outbox,
    Posting posting,
    Deadlines deadlines,
    Contents contents) {

  static Office of(
      Session session,
      Sessions sessions,
      Log log,
      Views views,
      Contents contents,
      Reporter reporter) {
    Mailboxes mailboxes = new Mailboxes(log, views, reporter);
    Folded<Outbox> outbox = new Folded<>(log, views, reporter, Outbox.kind(session.name()));
    Posting posting = new Posting(mailboxes, outbox, contents);
    return new Office(
        session, sessions, mailboxes, outbox, posting, new Deadlines(mailboxes, posting), contents);
  }

  String me() {
    return session.name();
  }

  /** What time it is in the ledger. */
  Instant now() {
    return sessions.now();
  }

  Moment moment() {
    return new Moment(log().clock().now(), sessions.wall());
  }

  Log log() {
    return mailboxes.log();
  }

  /** The ledger, after a check that this session still has its name. */
  Ledger present() {
    return sessions.present(session);
  }

  /** This agent's mailbox as it is now. */
  Mailbox mailbox() {
    return mailboxes.of(me());
  }

  /** This agent's mailbox after a look at the clock, as someone who is here. */
  Mailbox checked() {
    return deadlines.check(me(), present(), moment(), me());
  }

  /** A message of this agent's that has not ended. */
  Entry open(Mailbox mailbox, String id) {
    Entry entry = mailbox.find(id);
    if (entry == null) {
      throw ParleyException.invalid(
          "no-such-message",
          "There is no message " + id + " in the inbox of " + me() + ".",
          "parley inbox lists what is there.");
    }
    if (entry.hasEnded()) {
      throw Endings.alreadyEnded(entry);
    }
    return entry;
  }

  /** A message in somebody's mailbox with what it says; null if it is not in the log any more. */
  @Nullable Letter letter(String agent, Entry entry) {
    Envelope envelope = mailboxes.read(agent, entry);
    return envelope == null
        ? null
        : Letter.of(entry, envelope, agent.equals(me()) ? session.id() : null);
  }

  Position append(Topic topic, Message message) {
    return log().append(topic, List.of(message)).getFirst().position();
  }
}
