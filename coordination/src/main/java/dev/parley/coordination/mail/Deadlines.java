package dev.parley.coordination.mail;

import dev.parley.coordination.fold.Folded;
import dev.parley.coordination.fold.Priority;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.Member;
import dev.parley.core.AgentName;
import dev.parley.core.Envelope;
import dev.parley.core.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Notices what time has done to messages: overdue, or dead because nobody took them. Nothing
 * notices by itself; everyone who looks at a mailbox does, and doing it twice is doing it once.
 */
final class Deadlines {
  private final Mailboxes mailboxes;
  private final Posting posting;

  Deadlines(Mailboxes mailboxes, Posting posting) {
    this.mailboxes = mailboxes;
    this.posting = posting;
  }

  /** Looks at one mailbox; gives it back as it is afterwards. */
  Mailbox check(String agent, Ledger ledger, Instant now, String sender) {
    Folded<Mailbox> folded = mailboxes.folded(agent);
    Mailbox mailbox = folded.refresh();
    Member recipient = ledger.roster().member(agent);
    boolean overdue = false;
    boolean dead = false;
    for (Entry entry : mailbox.inbox()) {
      Instant deadline = deadline(entry);
      overdue |= deadline != null && !now.isBefore(deadline);
      dead |= isDead(entry, mailbox.limits(), recipient, now);
    }
    if (overdue) {
      for (Entry entry : overdue(folded, agent, now, sender)) {
        Mailbox current = folded.refresh();
        if (deadline(entry) != null && !entry.hasEnded()) {
          overdue(agent, current, entry, sender);
        }
      }
    }
    if (dead) {
      Mailbox current = folded.refresh();
      current.inbox().stream()
          .filter(entry -> isDead(entry, current.limits(), recipient, now))
          .toList()
          .forEach(entry -> dead(agent, current, entry, sender));
    }
    return overdue || dead ? folded.refresh() : mailbox;
  }

  /** The messages that are overdue by our clock and by the time of the receipts, which decides. */
  private static List<Entry> overdue(
      Folded<Mailbox> folded, String agent, Instant now, String sender) {
    Mailbox before = folded.refresh();
    Instant last = null;
    for (Entry entry : before.inbox()) {
      Instant deadline = deadline(entry);
      if (deadline != null && !now.isBefore(deadline)) {
        last = last == null || deadline.isAfter(last) ? deadline : last;
      }
    }
    if (last == null
        || !folded.reach(Mailbox.receiptsOf(agent), sender, now, last, Mailbox::time)) {
      return List.of();
    }
    Mailbox mailbox = folded.refresh();
    return mailbox.inbox().stream()
        .filter(entry -> {
          Instant deadline = deadline(entry);
          return deadline != null
              && !now.isBefore(deadline)
              && mailbox.time().isAtOrAfter(deadline);
        })
        .toList();
  }

  /** When the next message in a mailbox becomes overdue, after {@code now}; null if none does. */
  static @Nullable Instant next(Mailbox mailbox, Instant now) {
    Instant next = null;
    for (Entry entry : mailbox.inbox()) {
      Instant deadline = deadline(entry);
      if (deadline != null && deadline.isAfter(now)) {
        next = next == null || deadline.isBefore(next) ? deadline : next;
      }
    }
    return next;
  }

  /** When a message becomes overdue; null if it can't, or is already. */
  private static @Nullable Instant deadline(Entry entry) {
    boolean waits = entry.needsReply() && !entry.has(State.OVERDUE) && !entry.isHeld();
    return waits ? entry.deadline() : null;
  }

  private static boolean isDead(
      Entry entry, MailLimits limits, @Nullable Member recipient, Instant now) {
    Step arrived = entry.at(State.STORED);
    Instant stored = (arrived == null ? entry.trail().getFirst() : arrived).at();
    if (entry.has(State.DELIVERED) || stored == null) {
      return false;
    }
    Instant since =
        recipient == null || recipient.heard().isBefore(stored) ? stored : recipient.heard();
    return !now.isBefore(since.plus(limits.deadAfter()));
  }

  /** The one in charge is told first: the key makes that happen once, however often it is tried. */
  private void overdue(String agent, Mailbox mailbox, Entry entry, String sender) {
    Envelope envelope = mailboxes.read(agent, entry);
    String chosen = envelope == null ? null : Content.of(envelope).escalateTo();
    String to = chosen == null || !AgentName.isValid(chosen) ? Posting.HUMAN : chosen;
    String subject = envelope == null ? "" : Outbox.noted(Content.of(envelope).subject());
    if (!to.equals(agent)) {
      Draft draft =
          Draft.to(to)
              .type(MailTypes.ESCALATION)
              .says(
                  "Overdue: " + subject,
                  agent
                      + " has not answered "
                      + entry.from()
                      + " ("
                      + entry.id()
                      + "), due at "
                      + Timestamps.format(
                          entry.deadline() == null ? Instant.EPOCH : entry.deadline())
                      + ".")
              .priority(Priority.HIGH)
              .key("overdue:" + entry.id())
              .automatic(true);
      posting.notify(to, draft);
    }
    var _ =
        mailboxes
            .log()
            .append(Mailbox.receiptsOf(agent), List.of(Receipts.overdue(mailbox, sender, entry)));
  }

  /** The sender is told last: that it is dead is true only once that is in the log. */
  private void dead(String agent, Mailbox mailbox, Entry entry, String sender) {
    Duration limit = mailbox.limits().deadAfter();
    String reason = "nobody took it for " + limit.toHours() + " h";
    var _ =
        mailboxes
            .log()
            .append(
                Mailbox.receiptsOf(agent),
                List.of(Receipts.end(mailbox, sender, null, List.of(entry), How.DEAD, reason)));
    Entry after = mailboxes.of(agent).find(entry.id());
    if (after == null || !after.has(State.DEAD) || entry.automatic()) {
      return;
    }
    Draft draft =
        Draft.to(entry.from())
            .type(MailTypes.UNDELIVERED)
            .says(
                "Not delivered to " + agent,
                "Your message " + entry.id() + " became a dead letter: " + reason + ".")
            .key("dead:" + entry.id())
            .automatic(true);
    if (AgentName.isValid(entry.from())) {
      posting.notify(entry.from(), draft);
    }
  }
}
