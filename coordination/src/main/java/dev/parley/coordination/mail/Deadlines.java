package dev.parley.coordination.mail;

import dev.parley.coordination.fold.Folded;
import dev.parley.coordination.fold.Priority;
import dev.parley.coordination.ledger.Clerk;
import dev.parley.core.AgentName;
import dev.parley.core.BootTime;
import dev.parley.core.Envelope;
import dev.parley.core.Timestamps;
import dev.parley.core.Topic;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Notices what time has done to messages: overdue, or dead because nobody took them. Nothing
 * notices by itself; everyone who looks at a mailbox does, and doing it twice is doing it once.
 */
final class Deadlines {
  private final Clerk owner;
  private final Mailboxes mailboxes;
  private final Posting posting;

  Deadlines(Clerk owner, Mailboxes mailboxes, Posting posting) {
    this.owner = owner;
    this.mailboxes = mailboxes;
    this.posting = posting;
  }

  /** Looks at one mailbox; gives it back as it is afterwards. */
  Mailbox check(String agent, Moment now, String sender) {
    Folded<Mailbox> folded = mailboxes.folded(agent);
    Mailbox mailbox = folded.refresh();
    Duration silence = silence(agent);
    boolean overdue = false;
    boolean dead = false;
    for (Entry entry : mailbox.inbox()) {
      overdue |= isOverdue(mailbox, entry, now);
      dead |= isDead(mailbox, entry, silence, now);
    }
    if (overdue) {
      for (Entry entry : overdue(folded, agent, now, sender)) {
        Mailbox current = folded.refresh();
        if (waits(entry) && !entry.hasEnded()) {
          overdue(agent, current, entry, sender);
        }
      }
    }
    if (dead) {
      Mailbox current = folded.refresh();
      current.inbox().stream()
          .filter(entry -> isDead(current, entry, silence, now))
          .toList()
          .forEach(entry -> dead(agent, current, entry, sender));
    }
    return overdue || dead ? folded.refresh() : mailbox;
  }

  /** The messages that are overdue by our clock and by the time of the receipts, which decides. */
  private static List<Entry> overdue(
      Folded<Mailbox> folded, String agent, Moment now, String sender) {
    Topic receipts = Mailbox.receiptsOf(agent);
    var _ = folded.correctClocks(receipts, sender, Mailbox::time);
    // In receipts without a line of this boot no time of it is known yet: a tick says it.
    BootTime own = now.own();
    if (own != null && folded.refresh().time().at(own) == null) {
      folded.tick(receipts, sender);
    }
    Mailbox before = folded.refresh();
    Instant last = null;
    for (Entry entry : before.inbox()) {
      Instant due = isOverdue(before, entry, now) ? before.due(entry) : null;
      last = due != null && (last == null || due.isAfter(last)) ? due : last;
    }
    if (last == null || !folded.reach(receipts, sender, now.in(before), last, Mailbox::time)) {
      return List.of();
    }
    Mailbox mailbox = folded.refresh();
    return mailbox.inbox().stream()
        .filter(entry -> isOverdue(mailbox, entry, now) && mailbox.isPast(entry))
        .toList();
  }

  /** How long it is until the next message in a mailbox becomes overdue; null if none does. */
  static @Nullable Duration untilNext(Mailbox mailbox, Moment now) {
    Duration next = null;
    for (Entry entry : mailbox.inbox()) {
      Duration left = waits(entry) ? now.untilDue(mailbox, entry) : null;
      if (left != null && left.isPositive()) {
        next = next == null || left.compareTo(next) < 0 ? left : next;
      }
    }
    return next;
  }

  private static boolean isOverdue(Mailbox mailbox, Entry entry, Moment now) {
    Duration left = waits(entry) ? now.untilDue(mailbox, entry) : null;
    return left != null && !left.isPositive();
  }

  /** Whether a message can become overdue, and is not already. */
  private static boolean waits(Entry entry) {
    return entry.needsReply() && !entry.has(State.OVERDUE) && !entry.isHeld();
  }

  /** How long nothing was heard of an agent; null if it never was here. */
  private @Nullable Duration silence(String agent) {
    Instant now = owner.now();
    return owner
        .lookAtLastKnown(ledger -> Optional.ofNullable(ledger.roster().member(agent)))
        .map(member -> Duration.between(member.heard(), now))
        .orElse(null);
  }

  private static boolean isDead(
      Mailbox mailbox, Entry entry, @Nullable Duration silence, Moment now) {
    Duration age = entry.has(State.DELIVERED) ? null : now.age(mailbox, entry);
    Duration limit = mailbox.limits().deadAfter();
    return age != null
        && age.compareTo(limit) >= 0
        && (silence == null || silence.compareTo(limit) >= 0);
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
