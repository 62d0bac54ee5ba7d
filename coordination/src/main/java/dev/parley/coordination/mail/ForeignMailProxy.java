package dev.parley.coordination.mail;

import dev.parley.coordination.fold.FoldReader;
import dev.parley.coordination.ledger.LedgerOwner;
import dev.parley.coordination.mailbox.DeliveryState;
import dev.parley.coordination.mailbox.EndReason;
import dev.parley.coordination.mailbox.Mailbox;
import dev.parley.coordination.mailbox.MailboxEntry;
import dev.parley.coordination.mailbox.Outbox;
import dev.parley.core.Log;
import dev.parley.core.Message;
import dev.parley.core.Position;
import dev.parley.core.Reporter;
import dev.parley.core.store.Contents;
import dev.parley.core.store.Views;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Delivers mail and writes receipts for agents without a session: they read and write the files of
 * another tool.
 *
 * <p>Used by one thread at a time.
 */
public final class ForeignMailProxy {
  private final String session;
  private final LedgerOwner owner;
  private final Mailboxes mailboxes;

  /**
   * @param session the session that receipts name for readers in another tool
   */
  public ForeignMailProxy(
      String session, LedgerOwner owner, Log log, Views views, Reporter reporter) {
    this.session = session;
    this.owner = owner;
    this.mailboxes = new Mailboxes(log, views, reporter);
  }

  /**
   * Puts a message into a mailbox, unless its sender sent one with the same key before.
   *
   * @return the id of the message that is there
   */
  public String deliver(String recipient, Message message) {
    FoldReader<Outbox> outbox =
        new FoldReader<>(
            mailboxes.log(), Views.inMemory(), report -> {}, Outbox.kind(message.sender()));
    return new MailDelivery(owner, mailboxes, outbox, Contents.none())
        .post(recipient, new MailAppend(message), null)
        .id();
  }

  /** Whether one of these senders sent an agent a message with this key. */
  public boolean hasMail(String agent, Collection<String> senders, String key) {
    Mailbox mailbox = mailboxes.of(agent);
    return senders.stream().anyMatch(sender -> mailbox.sentWith(sender, key) != null);
  }

  /**
   * Whether an agent is done with a message: it has seen it, or the message has ended otherwise.
   */
  public boolean isHandled(String agent, String id) {
    MailboxEntry entry = mailboxes.of(agent).find(id);
    return entry == null // ended long ago
        || entry.has(DeliveryState.SEEN)
        || (entry.hasEnded() && entry.state() != DeliveryState.DEAD);
  }

  /** The messages in an agent's inbox now. */
  public List<MailboxEntry> inbox(String agent) {
    return List.copyOf(mailboxes.of(agent).inbox());
  }

  /**
   * The message of a conversation that an agent must answer; null if there is none.
   *
   * @param from the agent that needs the answer
   */
  public @Nullable String openRequest(String agent, String from, String thread) {
    String found = null;
    for (MailboxEntry entry : mailboxes.of(agent).inbox()) {
      if (entry.needsReply() && entry.from().equals(from) && thread.equals(entry.thread())) {
        found = entry.id();
      }
    }
    return found;
  }

  /** Records that an agent has answered a message. A message that has ended stays as it is. */
  public void answered(String agent, String id, String answer) {
    Mailbox mailbox = mailboxes.of(agent);
    MailboxEntry entry = mailbox.find(id);
    if (entry != null && !entry.hasEnded()) {
      var _ =
          mailboxes
              .log()
              .append(
                  Mailbox.receiptsOf(agent),
                  List.of(
                      ReceiptWriter.end(
                          mailbox, agent, session, List.of(entry), EndReason.ANSWERED, answer)));
    }
  }

  /** Records that messages were given to the recipient's tool. */
  public void delivered(String agent, Collection<String> ids) {
    receipt(agent, ids, false);
  }

  /** Records that the recipient has read messages. */
  public void seen(String agent, Collection<String> ids) {
    receipt(agent, ids, true);
  }

  private void receipt(String agent, Collection<String> ids, boolean seen) {
    Mailbox mailbox = mailboxes.of(agent);
    Set<Position> given = new HashSet<>();
    for (MailboxEntry entry : mailbox.inbox()) {
      boolean news = !entry.has(seen ? DeliveryState.SEEN : DeliveryState.DELIVERED);
      if (news && !entry.isHeld() && ids.contains(entry.id())) {
        given.add(entry.position());
      }
    }
    if (!given.isEmpty()) {
      var _ =
          mailboxes
              .log()
              .append(
                  Mailbox.receiptsOf(agent),
                  List.of(ReceiptWriter.receipt(mailbox, agent, session, given, seen)));
    }
  }
}
