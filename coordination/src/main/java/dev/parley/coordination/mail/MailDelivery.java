package dev.parley.coordination.mail;

import dev.parley.coordination.fold.FoldReader;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.LedgerOwner;
import dev.parley.coordination.mailbox.DeliveryState;
import dev.parley.coordination.mailbox.MailLimit;
import dev.parley.coordination.mailbox.Mailbox;
import dev.parley.coordination.mailbox.MailboxEntry;
import dev.parley.coordination.mailbox.Outbox;
import dev.parley.coordination.roster.Member;
import dev.parley.coordination.roster.Roster;
import dev.parley.core.AgentName;
import dev.parley.core.ParleyException;
import dev.parley.core.Position;
import dev.parley.core.Stored;
import dev.parley.core.Topic;
import dev.parley.core.bus.Bus;
import dev.parley.core.json.Json;
import dev.parley.core.names.SpellingSuggestion;
import dev.parley.core.store.Contents;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Appends messages to mailboxes, and tells how far each one came. */
final class MailDelivery {
  /** The person in charge, a recipient that is always known. */
  static final String HUMAN = "human";

  private static final String WAITS = "; the message waits";

  private final LedgerOwner owner;
  private final Mailboxes mailboxes;
  private final FoldReader<Outbox> outbox;
  private final Contents contents;

  /**
   * @param outbox of the sender
   */
  MailDelivery(
      LedgerOwner owner, Mailboxes mailboxes, FoldReader<Outbox> outbox, Contents contents) {
    this.owner = owner;
    this.mailboxes = mailboxes;
    this.outbox = outbox;
    this.contents = contents;
  }

  /**
   * Sends to all recipients. Nothing is written unless every recipient may be written to. A message
   * with a key that was used before is not sent again.
   */
  SendResult send(String sender, Draft draft, boolean anyway) {
    List<String> recipients =
        owner.lookAtLastKnown(
            ledger -> recipients(ledger.roster(), sender, draft.recipients(), anyway));
    for (String recipient : recipients) {
      checkRoom(recipient, sender, draft.key());
    }
    boolean all = draft.recipients().contains(Draft.ALL);
    MailAppend parcel =
        new MailAppend(all ? draft.broadcast() : draft, sender, recipients, contents);
    List<SendResult.Copy> copies = new ArrayList<>();
    List<Outbox.Copy> fresh = new ArrayList<>();
    for (String recipient : recipients) {
      SendResult.Copy copy = post(recipient, parcel, warning(recipient));
      copies.add(copy);
      // A copy that was there before may lack a note: its sender may have died before it wrote
      // one.
      if (!copy.repeated() || !outbox.refresh().knows(copy.id())) {
        fresh.add(new Outbox.Copy(recipient, copy.id(), copy.position()));
      }
    }
    if (!fresh.isEmpty()) {
      var _ = mailboxes.log().append(Outbox.of(sender), List.of(draft.note(sender, fresh)));
    }
    return new SendResult(copies);
  }

  /** Puts a message of Parley itself into a mailbox. */
  void notify(String recipient, Draft draft) {
    var _ = post(recipient, new MailAppend(draft, Bus.SYSTEM, List.of(recipient), contents), null);
  }

  /** Puts a message into a mailbox, and returns the state it has there. */
  SendResult.Copy post(String recipient, MailAppend parcel, @Nullable String warning) {
    String key = parcel.key();
    String sender = parcel.sender();
    Topic topic = Mailbox.mailOf(recipient);
    FoldReader<Mailbox> mailbox = mailboxes.folded(recipient);
    // The last known mailbox will do. If another process has used the key since, all readers
    // drop this line as a repeat, and the check after the append finds the earlier one.
    String before = key == null ? null : mailbox.lastKnown().sentWith(sender, key);
    if (before == null) {
      Stored stored = parcel.appendTo(mailboxes.log(), topic);
      Mailbox after = mailbox.refreshThrough(topic, stored.position());
      String first = key == null ? stored.id() : after.sentWith(sender, key);
      if (first == null || first.equals(stored.id())) {
        MailboxEntry entry = after.find(stored.id());
        boolean held = entry != null && entry.state() == DeliveryState.HELD;
        return new SendResult.Copy(
            recipient,
            stored.id(),
            stored.position(),
            held ? DeliveryState.HELD : DeliveryState.STORED,
            false,
            entry != null && held ? entry.trail().getFirst().note() : warning);
      }
      before = first; // another process was faster with the same key
    }
    MailboxEntry entry = mailboxes.of(recipient).find(before);
    return new SendResult.Copy(
        recipient,
        before,
        entry == null ? Position.START : entry.position(),
        entry == null ? null : entry.state(),
        true,
        "it was sent before with the same key");
  }

  private void checkRoom(String recipient, String sender, @Nullable String key) {
    Mailbox known = mailboxes.folded(recipient).lastKnown();
    if (known.inbox().size() < known.limits().get(MailLimit.MESSAGES) / 2) {
      return; // far from full as of the last look, so another look can wait
    }
    Mailbox mailbox = mailboxes.of(recipient);
    boolean repeat = key != null && mailbox.sentWith(sender, key) != null;
    if (!repeat && mailbox.inbox().size() >= mailbox.limits().get(MailLimit.MESSAGES)) {
      throw ParleyException.refused(
          "inbox-full", Json.object().put("agent", recipient).put("count", mailbox.inbox().size()));
    }
  }

  private static List<String> recipients(
      Roster roster, String sender, List<String> to, boolean anyway) {
    if (to.isEmpty()) {
      throw ParleyException.invalid("no-recipient", Json.object());
    }
    Set<String> names = new LinkedHashSet<>();
    for (String name : to) {
      if (name.equals(Draft.ALL)) {
        everyone(roster, sender, names);
      } else {
        names.add(new AgentName(name).name());
        if (!anyway && !roster.knows(name) && !name.equals(HUMAN)) {
          throw unknown(name, roster.names());
        }
      }
    }
    if (names.isEmpty()) {
      throw ParleyException.refused("nobody-here", Json.object().put("agent", sender));
    }
    return List.copyOf(names);
  }

  private static void everyone(Roster roster, String sender, Set<String> names) {
    for (Member member : roster.members()) {
      if (!member.hasLeft()) {
        names.add(member.name());
      }
    }
    names.addAll(roster.expected());
    names.remove(sender);
  }

  private static ParleyException unknown(String name, List<String> known) {
    return ParleyException.refused(
        "unknown-recipient",
        Json.object().put("name", name).put("nearest", SpellingSuggestion.to(name, known)));
  }

  /** A warning to the sender about a recipient; null if all is well. */
  @Nullable String warning(String name) {
    Instant now = owner.now();
    return owner
        .lookAtLastKnown(ledger -> Optional.ofNullable(warning(ledger, now, name)))
        .orElse(null);
  }

  /** How long nothing was heard of an agent: a time would need the clock of whoever reads it. */
  private static String ago(Member member, Instant now) {
    long seconds = Math.max(0, Duration.between(member.heard(), now).toSeconds());
    return seconds < 60
        ? seconds + " s ago"
        : seconds < 3600
            ? seconds / 60 + " min ago"
            : seconds < 86_400 ? seconds / 3600 + " h ago" : seconds / 86_400 + " d ago";
  }

  private static @Nullable String warning(Ledger ledger, Instant now, String name) {
    Member member = ledger.roster().member(name);
    if (member == null) {
      return name + " has not joined yet" + WAITS;
    }
    if (member.hasLeft()) {
      return name + " left " + ago(member, now) + WAITS;
    }
    if (member.isStale(now, ledger.staleAfter())) {
      return name + " is stale, last heard of " + ago(member, now) + WAITS;
    }
    return null;
  }
}
