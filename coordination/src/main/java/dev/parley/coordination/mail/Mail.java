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
 * <p>What it answers is what the log can prove. Listing does not say that something was delivered:
 * the caller that has handed a message on says so afterwards, with {@link #delivered} or {@link
 * #seen}.
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
   * Sends a message to everyone it names.
   *
   * @throws ParleyException REFUSED, before anything is written, if a recipient is not known or an
   *     inbox is full
   */
  public synchronized SendResult send(Draft draft) {
    return send(draft, false);
  }

  /** Sends also to names that nobody has heard of. */
  public synchronized SendResult sendAnyway(Draft draft) {
    return send(draft, true);
  }

  private SendResult send(Draft draft, boolean anyway) {
    var _ = context.owner().present(context.session());
    return context.posting().send(context.me(), draft, anyway);
  }

  /** What was sent lately and what became of each copy, the oldest first. */
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

  /** A letter that this agent sent, as it is in the mailbox of its recipient. */
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

  /** Sends a dead letter again, as a new message with the same content. */
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

  /** The letters in the inbox that are wanted, the oldest first. */
  public synchronized List<ReceivedMail> inbox(MailFilter filter) {
    List<MailboxEntry> wanted = new ArrayList<>();
    for (MailboxEntry entry : context.checkedMailbox().inbox()) {
      if (filter.wants(entry)) {
        wanted.add(entry);
      }
    }
    return letters(wanted).stream().filter(filter::wants).toList();
  }

  /** Messages with what they say, read together; those that are gone from the log are left out. */
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

  /** One letter in the inbox or ended lately. */
  public synchronized @Nullable ReceivedMail find(String id) {
    MailboxEntry entry = context.mailboxes().of(context.me()).find(id);
    return entry == null ? null : letter(context.me(), entry);
  }

  /**
   * A letter with all it says: a body that is too long for a line is kept beside the log, and the
   * letter itself has only its beginning.
   *
   * @throws ParleyException FAILED if that is missing or damaged
   */
  public ReceivedMail whole(ReceivedMail letter) {
    return whole(letter, context.contents());
  }

  /** The same for a reader without a session. */
  public static ReceivedMail whole(ReceivedMail letter, Contents contents) {
    return letter.whole(contents);
  }

  /** What is in the inbox of any agent, the oldest first; nothing is marked. */
  public static List<ReceivedMail> look(String agent, Log log, Views views, Reporter reporter) {
    Mailboxes mailboxes = new Mailboxes(log, views, reporter);
    List<ReceivedMail> letters = new ArrayList<>();
    mailboxes.readAll(
        agent,
        List.copyOf(mailboxes.of(agent).inbox()),
        (entry, envelope) -> letters.add(ReceivedMail.of(entry, envelope, null)));
    return letters;
  }

  /** What is kept back by the damper. */
  public synchronized List<ReceivedMail> held() {
    List<MailboxEntry> held =
        context.checkedMailbox().inbox().stream()
            .filter(entry -> entry.state() == DeliveryState.HELD)
            .toList();
    return letters(held);
  }

  /** Lets messages go that the damper held. */
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
    // What was sent is folded from its own topic, and knows only what stands there.
    Message same = Message.of(context.me(), MailTypes.LIMITS, limits.toJson());
    var _ = context.append(Outbox.of(context.me()), same);
  }

  private void control(String type, Json payload) {
    var _ = context.append(Mailbox.mailOf(context.me()), Message.of(context.me(), type, payload));
  }

  /** Says that letters were handed to the program that asked for them. */
  public synchronized void delivered(Collection<ReceivedMail> letters) {
    receipt(letters, false);
  }

  /** Says that letters were put before the agent itself. */
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
   * Answers a message: its sender gets the answer, and the message is done.
   *
   * @throws ParleyException REFUSED if it has ended already; INVALID if it is not in the inbox
   */
  public synchronized SendResult reply(String id, Draft draft) {
    return completion.reply(id, draft);
  }

  /** Deals with messages without an answer. */
  public synchronized void acknowledge(Collection<String> ids) {
    completion.endAll(ids, EndReason.ACKNOWLEDGED);
  }

  /** Says that messages won't be dealt with, and why; their senders are told. */
  public synchronized void refuse(Collection<String> ids, String reason) {
    completion.refuse(ids, reason);
  }

  /** Takes messages out of the inbox, held ones too. */
  public synchronized void remove(Collection<String> ids) {
    completion.endAll(ids, EndReason.REMOVED);
  }

  /** Takes everything out of the inbox; answers how many messages that were. */
  public synchronized int clear() {
    return completion.clear();
  }

  /**
   * Waits for a letter that this session has not been given, the oldest first; one that came before
   * the wait began is found as well. It costs nothing while nothing happens. The caller says that
   * it was {@link #delivered}.
   *
   * @return null if the time is over
   */
  public @Nullable ReceivedMail await(MailFilter filter, Duration atMost)
      throws InterruptedException {
    return waiting.await(filter, atMost);
  }

  /**
   * Calls a handler with every letter that is wanted, on a thread of its own, until it is closed. A
   * handler that returns has been given the letter; one that throws is reported, and the next
   * letter comes all the same.
   */
  public Listening listen(MailFilter filter, Consumer<ReceivedMail> handler) {
    return waiting.listen(filter, handler);
  }

  /** Ends when it is closed. */
  public interface Listening extends AutoCloseable {
    /** No letter is taken any more; one that is being handled is handled to its end. */
    @Override
    void close();
  }

  /** What a wait that ended now would find. */
  synchronized @Nullable ReceivedMail next(MailFilter filter) {
    for (MailboxEntry entry : context.checkedMailbox().inbox()) {
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

  /** How long it is until the next message becomes overdue, of whomever, or may have. */
  synchronized Duration untilNextDeadline() {
    // The waiting thread has just read the mailbox, and the doorbell rings for later lines.
    Mailbox mailbox = context.mailboxes().folded(context.me()).lastKnown();
    Duration next = Deadlines.untilNext(mailbox, context.moment());
    Duration others = context.due().untilNext();
    return next == null || others.compareTo(next) < 0 ? others : next.plusMillis(1);
  }
}
