package dev.parley.coordination.mail;

import dev.parley.coordination.fold.FoldReader;
import dev.parley.coordination.fold.Priority;
import dev.parley.coordination.ledger.LedgerOwner;
import dev.parley.coordination.mailbox.ClockReading;
import dev.parley.coordination.mailbox.DeliveryState;
import dev.parley.coordination.mailbox.EndReason;
import dev.parley.coordination.mailbox.MailContent;
import dev.parley.coordination.mailbox.MailTypes;
import dev.parley.coordination.mailbox.Mailbox;
import dev.parley.coordination.mailbox.MailboxEntry;
import dev.parley.coordination.mailbox.Outbox;
import dev.parley.core.AgentName;
import dev.parley.core.Envelope;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.core.time.BootTime;
import dev.parley.core.time.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Marks messages that are overdue, or dead because no session took them. No background process does
 * this: every reader of a mailbox does, and each step is idempotent.
 */
final class Deadlines {
  private final LedgerOwner owner;
  private final Mailboxes mailboxes;
  private final MailDelivery delivery;

  Deadlines(LedgerOwner owner, Mailboxes mailboxes, MailDelivery delivery) {
    this.owner = owner;
    this.mailboxes = mailboxes;
    this.delivery = delivery;
  }

  /** Marks what is due in one mailbox; returns the mailbox as it is afterwards. */
  Mailbox check(String agent, ClockReading now, String sender) {
    FoldReader<Mailbox> folded = mailboxes.folded(agent);
    Mailbox mailbox = folded.refresh();
    Duration silence = silence(agent);
    boolean overdue = false;
    boolean dead = false;
    for (MailboxEntry entry : mailbox.inbox()) {
      overdue |= isOverdue(mailbox, entry, now);
      dead |= isDead(mailbox, entry, silence, now);
    }
    if (overdue) {
      for (MailboxEntry entry : overdue(folded, agent, now, sender)) {
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

  /**
   * The messages that are overdue both by our clock and by the time of the receipts. The time of
   * the receipts decides, so it is brought up to date first.
   */
  private static List<MailboxEntry> overdue(
      FoldReader<Mailbox> folded, String agent, ClockReading now, String sender) {
    Topic receipts = Mailbox.receiptsOf(agent);
    var _ = folded.correctClocks(receipts, sender, Mailbox::time);
    // Receipts without a line of this boot have no time for its clock yet. A tick gives them
    // one.
    BootTime own = now.own();
    if (own != null && folded.refresh().time().at(own) == null) {
      folded.tick(receipts, sender);
    }
    Mailbox before = folded.refresh();
    Instant last = null;
    for (MailboxEntry entry : before.inbox()) {
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

  /** How long it is until the next message in a mailbox becomes overdue; null if none will. */
  static @Nullable Duration untilNext(Mailbox mailbox, ClockReading now) {
    Duration next = null;
    for (MailboxEntry entry : mailbox.inbox()) {
      Duration left = waits(entry) ? now.untilDue(mailbox, entry) : null;
      if (left != null && left.isPositive()) {
        next = next == null || left.compareTo(next) < 0 ? left : next;
      }
    }
    return next;
  }

  private static boolean isOverdue(Mailbox mailbox, MailboxEntry entry, ClockReading now) {
    Duration left = waits(entry) ? now.untilDue(mailbox, entry) : null;
    return left != null && !left.isPositive();
  }

  /** Whether a message can still become overdue. */
  private static boolean waits(MailboxEntry entry) {
    return entry.needsReply() && !entry.has(DeliveryState.OVERDUE) && !entry.isHeld();
  }

  /** How long an agent has written nothing; null if it never joined. */
  private @Nullable Duration silence(String agent) {
    Instant now = owner.now();
    return owner
        .lookAtLastKnown(ledger -> Optional.ofNullable(ledger.roster().member(agent)))
        .map(member -> Duration.between(member.heard(), now))
        .orElse(null);
  }

  private static boolean isDead(
      Mailbox mailbox, MailboxEntry entry, @Nullable Duration silence, ClockReading now) {
    Duration age = entry.has(DeliveryState.DELIVERED) ? null : now.age(mailbox, entry);
    Duration limit = mailbox.limits().deadAfter();
    return age != null
        && age.compareTo(limit) >= 0
        && (silence == null || silence.compareTo(limit) >= 0);
  }

  /** Tells the person in charge first. The key makes repeated attempts send one mail. */
  private void overdue(String agent, Mailbox mailbox, MailboxEntry entry, String sender) {
    Envelope envelope = mailboxes.read(agent, entry);
    String chosen = envelope == null ? null : MailContent.of(envelope).escalateTo();
    String to = chosen == null || !AgentName.isValid(chosen) ? MailDelivery.HUMAN : chosen;
    if (!to.equals(agent)) {
      Draft draft =
          Draft.to(to)
              .type(MailTypes.ESCALATION)
              .says(
                  "Overdue: "
                      + agent
                      + " has not answered "
                      + entry.from()
                      + (envelope == null ? "" : about(MailContent.of(envelope))),
                  agent
                      + " has not answered "
                      + entry.from()
                      + " ("
                      + entry.id()
                      + "), due at "
                      + Timestamps.format(
                          entry.deadline() == null ? Instant.EPOCH : entry.deadline())
                      + ".")
              .metadata(
                  Json.object()
                      .put(MailCompletion.ASKER, entry.from())
                      .put(MailCompletion.THREAD, entry.thread())
                      .build())
              .priority(Priority.HIGH)
              .key("overdue:" + entry.id())
              .automatic(true);
      delivery.notify(to, draft);
    }
    var _ =
        mailboxes
            .log()
            .append(
                Mailbox.receiptsOf(agent), List.of(ReceiptWriter.overdue(mailbox, sender, entry)));
  }

  /** The subject, or else the beginning of the body, after a colon; empty if there is neither. */
  private static String about(MailContent content) {
    String text = content.subject().isBlank() ? content.body() : content.subject();
    String line = text.lines().filter(each -> !each.isBlank()).findFirst().orElse("").strip();
    return line.isEmpty() ? "" : ": " + Outbox.noted(line);
  }

  /** Tells the sender last, because the message is dead only once the log says so. */
  private void dead(String agent, Mailbox mailbox, MailboxEntry entry, String sender) {
    Duration limit = mailbox.limits().deadAfter();
    String reason = "nobody took it for " + limit.toHours() + " h";
    var _ =
        mailboxes
            .log()
            .append(
                Mailbox.receiptsOf(agent),
                List.of(
                    ReceiptWriter.end(
                        mailbox, sender, null, List.of(entry), EndReason.DEAD, reason)));
    MailboxEntry after = mailboxes.of(agent).find(entry.id());
    if (after == null || !after.has(DeliveryState.DEAD) || entry.automatic()) {
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
      delivery.notify(entry.from(), draft);
    }
  }
}
