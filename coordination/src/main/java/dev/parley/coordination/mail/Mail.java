package dev.parley.coordination.mail;

import dev.parley.coordination.ledger.LedgerOwner;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.mailbox.DeliveryState;
import dev.parley.coordination.mailbox.EndReason;
import dev.parley.coordination.mailbox.MailContent;
import dev.parley.coordination.mailbox.MailLimits;
import dev.parley.coordination.mailbox.MailTypes;
import dev.parley.coordination.mailbox.Mailbox;
import dev.parley.coordination.mailbox.MailboxEntry;
import dev.parley.coordination.mailbox.Outbox;
import dev.parley.core.Envelope;
import dev.parley.core.Log;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Position;
import dev.parley.core.Reporter;
import dev.parley.core.json.Json;
import dev.parley.core.store.Contents;
import dev.parley.core.store.Views;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The mail of one session: send, list, read, answer, wait.
 *
 * <p>Its answers are what the log can prove. Listing a message does not mark it as delivered: the
 * caller confirms that it has passed the message on, with {@link #delivered} or {@link #seen}.
 *
 * <p>Safe for use by many threads.
 */
public final class Mail {
  private final MailContext context;
  private final MailCompletion completion;
  private final MailWait waiting;

  public Mail(
      Session session,
      LedgerOwner owner,
      DueWork due,
      Log log,
      Views views,
      Contents contents,
      Reporter reporter) {
    this.context = MailContext.of(session, owner, due, log, views, contents, reporter);
    this.completion = new MailCompletion(context);
    this.waiting = new MailWait(this, log, session.name(), reporter);
  }

  /**
   * Sends a message to every recipient it names.
   *
   * @throws ParleyException REFUSED, before anything is written, if a recipient is not known or an
   *     inbox is full
   */
  public synchronized SendResult send(Draft draft) {
    return send(draft, false);
  }

  /** Sends also to names that are not on the roster. */
  public synchronized SendResult sendAnyway(Draft draft) {
    return send(draft, true);
  }

  private SendResult send(Draft draft, boolean anyway) {
    var _ = context.owner().present(context.session());
    return context.posting().send(context.me(), draft, anyway);
  }

  /** The messages sent lately and the state of each copy, the oldest first. */
  public synchronized List<SentMail> sent() {
    List<SentMail> letters = new ArrayList<>();
    Map<String, Mailbox> mailboxes = new HashMap<>();
    for (Outbox.Sent sent : context.outbox().refresh().sent()) {
      for (Outbox.Copy copy : sent.copies()) {
        MailboxEntry entry = mailboxes.computeIfAbsent(copy.to(), context::checked).find(copy.id());
        letters.add(
            new SentMail(
                sent,
                copy,
                entry == null ? null : entry.asItIs(),
                context.posting().warning(copy.to())));
      }
    }
    return letters;
  }

  /** The content of a sent message; null if it is not remembered, or gone from the log. */
  public synchronized @Nullable MailContent content(SentMail sent) {
    MailboxEntry entry = sent.entry();
    Envelope envelope = entry == null ? null : context.mailboxes().read(sent.copy().to(), entry);
    return envelope == null ? null : MailContent.of(envelope);
  }

  /** A message that this agent sent, as it is in the recipient's mailbox. */
  public synchronized @Nullable ReceivedMail findSent(String id) {
    for (Outbox.Sent sent : context.outbox().refresh().sent()) {
      for (Outbox.Copy copy : sent.copies()) {
        MailboxEntry entry =
            copy.id().equals(id) ? context.mailboxes().of(copy.to()).find(id) : null;
        if (entry != null) {
          return letter(copy.to(), entry);
        }
      }
    }
    return null;
  }

  /** Sends a dead message again, as a new message with the same content. */
  public synchronized SendResult resend(String id) {
    for (SentMail sent : sent()) {
      MailboxEntry entry = sent.entry();
      if (sent.copy().id().equals(id) && entry != null && entry.has(DeliveryState.DEAD)) {
        Envelope envelope = context.mailboxes().read(sent.copy().to(), entry);
        if (envelope != null) {
          Draft again =
              Draft.to(sent.copy().to())
                  .type(entry.type())
                  .content(MailContent.of(envelope))
                  .priority(entry.priority())
                  .thread(entry.thread())
                  .replyTo(entry.replyTo());
          return send(entry.needsReply() ? again.needsReply(null) : again, true);
        }
      }
    }
    throw ParleyException.refused("no-such-dead-letter", Json.object().put("id", id));
  }

  /** The messages in the inbox that match the filter, the oldest first. */
  public synchronized List<ReceivedMail> inbox(MailFilter filter) {
    List<MailboxEntry> wanted = new ArrayList<>();
    for (MailboxEntry entry : checkedMailbox().inbox()) {
      if (filter.wants(entry)) {
        wanted.add(entry);
      }
    }
    return letters(wanted).stream().filter(filter::wants).toList();
  }

  private Mailbox checkedMailbox() {
    return completion.endOldBoardCalls(context.checkedMailbox());
  }

  /**
   * Messages with their content, read in batches. Those that are gone from the log are left out.
   */
  private List<ReceivedMail> letters(List<MailboxEntry> entries) {
    List<ReceivedMail> letters = new ArrayList<>();
    context
        .mailboxes()
        .readAll(
            context.me(),
            entries,
            (entry, envelope) ->
                letters.add(ReceivedMail.of(entry, envelope, context.session().id())));
    return letters;
  }

  private @Nullable ReceivedMail letter(String agent, MailboxEntry entry) {
    Envelope envelope = context.mailboxes().read(agent, entry);
    String reader = agent.equals(context.me()) ? context.session().id() : null;
    return envelope == null ? null : ReceivedMail.of(entry, envelope, reader);
  }

  /** A message in the inbox or ended lately. */
  public synchronized @Nullable ReceivedMail find(String id) {
    MailboxEntry entry = context.mailboxes().of(context.me()).find(id);
    return entry == null ? null : letter(context.me(), entry);
  }

  /**
   * A message with its whole body. A body that is too long for a line is stored beside the log, and
   * the message itself has only its beginning.
   *
   * @throws ParleyException FAILED if the stored body is missing or damaged
   */
  public ReceivedMail whole(ReceivedMail letter) {
    return whole(letter, context.contents());
  }

  /** The same for a reader without a session. */
  public static ReceivedMail whole(ReceivedMail letter, Contents contents) {
    return letter.whole(contents);
  }

  /** The messages in any agent's inbox, the oldest first. Nothing is marked. */
  public static List<ReceivedMail> look(String agent, Log log, Views views, Reporter reporter) {
    Mailboxes mailboxes = new Mailboxes(log, views, reporter);
    List<ReceivedMail> letters = new ArrayList<>();
    mailboxes.readAll(
        agent,
        List.copyOf(mailboxes.of(agent).inbox()),
        (entry, envelope) -> letters.add(ReceivedMail.of(entry, envelope, null)));
    return letters;
  }

  /** The messages that the damper holds. */
  public synchronized List<ReceivedMail> held() {
    List<MailboxEntry> held =
        context.checkedMailbox().inbox().stream()
            .filter(entry -> entry.state() == DeliveryState.HELD)
            .toList();
    return letters(held);
  }

  /** Lets messages go that the damper holds. */
  public synchronized void letGo(Collection<String> ids) {
    Mailbox mailbox = context.mailbox();
    for (String id : ids) {
      MailboxEntry entry = context.open(mailbox, id);
      if (entry.state() != DeliveryState.HELD) {
        throw ParleyException.refused("not-held", Json.object().put("id", id));
      }
      Json payload =
          Json.object().put("position", entry.position().value()).put("id", entry.id()).build();
      control(MailTypes.LET_GO, payload);
    }
  }

  public synchronized MailLimits limits() {
    return context.mailboxes().of(context.me()).limits();
  }

  public synchronized void setLimits(MailLimits limits) {
    var _ = context.owner().present(context.session());
    control(MailTypes.LIMITS, limits.toJson());
    // The outbox is folded from its own topic alone, so it needs the same line there.
    Message same = Message.of(context.me(), MailTypes.LIMITS, limits.toJson());
    var _ = context.append(Outbox.of(context.me()), same);
  }

  private void control(String type, Json payload) {
    var _ = context.append(Mailbox.mailOf(context.me()), Message.of(context.me(), type, payload));
  }

  /** Confirms that messages were given to the program that asked for them. */
  public synchronized void delivered(Collection<ReceivedMail> letters) {
    receipt(letters, false);
  }

  /** Confirms that messages were shown to the agent itself. */
  public synchronized void seen(Collection<ReceivedMail> letters) {
    receipt(letters, true);
  }

  private void receipt(Collection<ReceivedMail> letters, boolean seen) {
    String session = context.session().id();
    Set<Position> given = new HashSet<>();
    for (ReceivedMail letter : letters) {
      MailboxEntry entry = letter.entry();
      if (!entry.has(DeliveryState.SEEN) && (seen || !ReceivedMail.givenTo(entry, session))) {
        given.add(entry.position());
      }
    }
    if (!given.isEmpty()) {
      Mailbox mailbox = context.mailboxes().of(context.me());
      var _ =
          context.append(
              Mailbox.receiptsOf(context.me()),
              ReceiptWriter.receipt(mailbox, context.me(), session, given, seen));
    }
  }

  /**
   * Answers a message: the sender gets the answer, and the message ends.
   *
   * @throws ParleyException REFUSED if it has ended already; INVALID if it is not in the inbox
   */
  public synchronized SendResult reply(String id, Draft draft) {
    return completion.reply(id, draft);
  }

  /** Ends messages without an answer. */
  public synchronized void acknowledge(Collection<String> ids) {
    completion.endAll(ids, EndReason.ACKNOWLEDGED);
  }

  /** Refuses messages with a reason, which their senders are told. */
  public synchronized void refuse(Collection<String> ids, String reason) {
    completion.refuse(ids, reason);
  }

  /** Removes messages from the inbox, also held ones. */
  public synchronized void remove(Collection<String> ids) {
    completion.endAll(ids, EndReason.REMOVED);
  }

  /** Removes everything from the inbox; returns the count. */
  public synchronized int clear() {
    return completion.clear();
  }

  /**
   * Waits for a message that this session has not been given, the oldest first. A message that came
   * before the wait began counts too. The thread sleeps while nothing happens. The caller confirms
   * with {@link #delivered}.
   *
   * @return null if the time is over
   */
  public @Nullable ReceivedMail await(MailFilter filter, Duration atMost)
      throws InterruptedException {
    return waiting.await(filter, atMost);
  }

  /**
   * Calls a handler with every message that matches the filter, on a thread of its own, until it is
   * closed. When the handler returns, the message counts as delivered. If it throws, that is
   * reported, and it gets the next message.
   */
  public Listening listen(MailFilter filter, Consumer<ReceivedMail> handler) {
    return waiting.listen(filter, handler);
  }

  public interface Listening extends AutoCloseable {
    /** Takes no more messages. A handler that is running finishes its message. */
    @Override
    void close();
  }

  /** The message that a wait would return now; null if none. */
  synchronized @Nullable ReceivedMail next(MailFilter filter) {
    for (MailboxEntry entry : checkedMailbox().inbox()) {
      if (filter.unread(true).wants(entry)
          && !ReceivedMail.givenTo(entry, context.session().id())) {
        ReceivedMail letter = letter(context.me(), entry);
        if (letter != null && filter.wants(letter)) {
          return letter;
        }
      }
    }
    return null;
  }

  /** How long it is until the next message in any mailbox may become overdue. */
  synchronized Duration untilNextDeadline() {
    // The last known state will do: the waiting thread has just read it, and the doorbell rings
    // for later lines.
    Mailbox mailbox = context.mailboxes().folded(context.me()).lastKnown();
    Duration next = Deadlines.untilNext(mailbox, context.moment());
    Duration others = context.due().untilNext();
    return next == null || others.compareTo(next) < 0 ? others : next.plusMillis(1);
  }
}
