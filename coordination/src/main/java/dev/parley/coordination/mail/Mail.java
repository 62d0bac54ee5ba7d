package dev.parley.coordination.mail;

import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.ledger.Sessions;
import dev.parley.core.Contents;
import dev.parley.core.Log;
import dev.parley.core.ParleyException;
import dev.parley.core.Reporter;
import dev.parley.core.Views;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The mail of one session: send, list, read, answer, wait.
 *
 * <p>What it answers is what the log can prove. Listing does not say that something was delivered:
 * whoever has handed a letter on says so with {@link #delivered} or {@link #seen}, afterwards.
 *
 * <p>Safe for use by many threads.
 */
public final class Mail {
  private final Office office;
  private final Outgoing outgoing;
  private final Inbox inbox;
  private final Endings endings;
  private final Waiting waiting;

  public Mail(
      Session session,
      Sessions sessions,
      Log log,
      Views views,
      Contents contents,
      Reporter reporter) {
    this.office = Office.of(session, sessions, log, views, contents, reporter);
    this.outgoing = new Outgoing(office);
    this.inbox = new Inbox(office);
    this.endings = new Endings(office);
    this.waiting = new Waiting(this, log, session.name(), reporter);
  }

  /**
   * Sends a message to everyone it names.
   *
   * @throws ParleyException REFUSED, before anything is written, if somebody is not known or an
   *     inbox is full
   */
  public synchronized Receipt send(Draft draft) {
    return outgoing.send(draft, false);
  }

  /** Sends also to names that nobody has heard of. */
  public synchronized Receipt sendAnyway(Draft draft) {
    return outgoing.send(draft, true);
  }

  /** What was sent lately and what became of each copy, the oldest first. */
  public synchronized List<SentLetter> sent() {
    return outgoing.list();
  }

  /** A letter that this agent sent, as it is in the mailbox of its recipient. */
  public synchronized @Nullable Letter findSent(String id) {
    return outgoing.find(id);
  }

  /** Sends a dead letter again, as a new message with the same content. */
  public synchronized Receipt resend(String id) {
    return outgoing.resend(id);
  }

  /** The letters in the inbox that are wanted, the oldest first. */
  public synchronized List<Letter> inbox(Filter filter) {
    return inbox.list(filter);
  }

  /** One letter in the inbox or ended lately. */
  public synchronized @Nullable Letter find(String id) {
    return inbox.find(id);
  }

  /**
   * A letter with all it says: a body that is too long for a line is kept beside the log, and the
   * letter itself has only its beginning.
   *
   * @throws ParleyException FAILED if that is missing or damaged
   */
  public Letter whole(Letter letter) {
    return letter.whole(office.contents());
  }

  /** What is kept back by the damper. */
  public synchronized List<Letter> held() {
    return inbox.held();
  }

  /** Lets messages go that the damper held. */
  public synchronized void letGo(Collection<String> ids) {
    inbox.letGo(ids);
  }

  public synchronized MailLimits limits() {
    return office.mailbox().limits();
  }

  public synchronized void setLimits(MailLimits limits) {
    inbox.setLimits(limits);
  }

  /** Says that letters were handed to the program that asked for them. */
  public synchronized void delivered(Collection<Letter> letters) {
    inbox.delivered(letters);
  }

  /** Says that letters were put before the agent itself. */
  public synchronized void seen(Collection<Letter> letters) {
    inbox.seen(letters);
  }

  /**
   * Answers a message: its sender gets the answer, and the message is done.
   *
   * @throws ParleyException REFUSED if it has ended already; INVALID if it is not in the inbox
   */
  public synchronized Receipt reply(String id, Draft draft) {
    return endings.reply(id, draft);
  }

  /** Deals with messages without an answer. */
  public synchronized void acknowledge(Collection<String> ids) {
    endings.endAll(ids, How.ACKNOWLEDGED);
  }

  /** Says that messages won't be dealt with, and why; their senders are told. */
  public synchronized void refuse(Collection<String> ids, String reason) {
    endings.refuse(ids, reason);
  }

  /** Takes messages out of the inbox, held ones too. */
  public synchronized void remove(Collection<String> ids) {
    endings.endAll(ids, How.REMOVED);
  }

  /** Takes everything out of the inbox; answers how many messages that were. */
  public synchronized int clear() {
    return endings.clear();
  }

  /**
   * Waits for a letter that this session has not been given, the oldest first; one that came before
   * the wait began is found as well. It costs nothing while nothing happens. The caller says that
   * it was {@link #delivered}.
   *
   * @return null if the time is over
   */
  public @Nullable Letter await(Filter filter, Duration atMost) throws InterruptedException {
    return waiting.await(filter, atMost);
  }

  /**
   * Calls a handler with every letter that is wanted, on a thread of its own, until it is closed. A
   * handler that returns has been given the letter; one that throws is reported, and the next
   * letter comes all the same.
   */
  public Listening listen(Filter filter, Consumer<Letter> handler) {
    return waiting.listen(filter, handler);
  }

  /** Ends when it is closed. */
  public interface Listening extends AutoCloseable {
    /** No letter is taken any more; one that is being handled is handled to its end. */
    @Override
    void close();
  }

  /** What a wait that ended now would find. */
  synchronized @Nullable Letter next(Filter filter) {
    return inbox.next(filter);
  }

  /** How long it is until the next message becomes overdue; null if none does. */
  synchronized @Nullable Duration untilNextDeadline() {
    // Whoever waits has just looked, and the bell rings for what has come since.
    Mailbox mailbox = office.mailboxes().folded(office.me()).lastKnown();
    Duration next = Deadlines.untilNext(mailbox, office.moment());
    return next == null ? null : next.plusMillis(1);
  }
}
