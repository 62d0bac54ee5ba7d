package dev.parley.coordination.mail;

import dev.parley.coordination.fold.Folded;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.ledger.Sessions;
import dev.parley.core.AgentName;
import dev.parley.core.Doorbell;
import dev.parley.core.Envelope;
import dev.parley.core.Log;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Position;
import dev.parley.core.Prefix;
import dev.parley.core.Report;
import dev.parley.core.Reporter;
import dev.parley.core.Topic;
import dev.parley.core.Views;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
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
  /** However quiet the doorbell, a wait looks this often: a ring may be lost. */
  private static final Duration SWEEP = Duration.ofSeconds(5);

  private final Session session;
  private final Sessions sessions;
  private final Mailboxes mailboxes;
  private final Posting posting;
  private final Deadlines deadlines;
  private final Folded<Outbox> outbox;
  private final Reporter reporter;

  /** Hanging up a doorbell takes longer than ringing it, so each is used for many waits. */
  private final ConcurrentLinkedQueue<Doorbell> bells = new ConcurrentLinkedQueue<>();

  public Mail(Session session, Sessions sessions, Log log, Views views, Reporter reporter) {
    this.session = session;
    this.sessions = sessions;
    this.reporter = reporter;
    this.mailboxes = new Mailboxes(log, views, reporter);
    this.outbox = new Folded<>(log, views, reporter, Outbox.kind(session.name()));
    this.posting = new Posting(mailboxes, outbox);
    this.deadlines = new Deadlines(mailboxes, posting);
  }

  private String me() {
    return session.name();
  }

  private Log log() {
    return mailboxes.log();
  }

  /**
   * Sends a message to everyone it names.
   *
   * @throws ParleyException REFUSED, before anything is written, if somebody is not known or an
   *     inbox is full
   */
  public synchronized Receipt send(Draft draft) {
    return send(draft, false);
  }

  /** Sends also to names that nobody has heard of. */
  public synchronized Receipt sendAnyway(Draft draft) {
    return send(draft, true);
  }

  private Receipt send(Draft draft, boolean anyway) {
    Ledger ledger = sessions.present(session);
    return posting.send(ledger, sessions.now(), me(), draft, anyway);
  }

  /**
   * Answers a message: its sender gets the answer, and the message is done.
   *
   * @throws ParleyException REFUSED if it has ended already; INVALID if it is not in the inbox
   */
  public synchronized Receipt reply(String id, Draft draft) {
    Ledger ledger = sessions.present(session);
    Mailbox mailbox = mailboxes.of(me());
    Entry entry = open(mailbox, id);
    Draft answer =
        new Draft(
            List.of(entry.from()),
            draft.type(),
            draft.content(),
            draft.priority(),
            entry.thread(),
            entry.id(),
            draft.needsReply(),
            draft.deadline(),
            "reply:" + entry.id(),
            draft.automatic(),
            draft.run(),
            draft.task());
    Receipt receipt = posting.send(ledger, sessions.now(), me(), answer, true);
    checkOurs(mailbox, entry, receipt.first(), answer);
    String proof = receipt.first().id();
    checkEnded(end(mailbox, List.of(entry), How.ANSWERED, proof), How.ANSWERED.note(proof));
    return receipt;
  }

  /**
   * Makes sure that what was sent before with the key of an answer is this very answer: one that
   * was interrupted is completed, but of two that differ only the first was ever sent.
   */
  private void checkOurs(Mailbox mailbox, Entry entry, Receipt.Copy copy, Draft answer) {
    Entry there = copy.repeated() ? mailboxes.of(copy.to()).find(copy.id()) : null;
    Envelope sent = there == null ? null : mailboxes.read(copy.to(), there);
    if (sent == null
        || (sent.type().equals(answer.type())
            && sent.payload().equals(answer.content().toJson()))) {
      return;
    }
    boolean refusal = sent.type().equals(MailTypes.REFUSAL);
    var _ =
        end(
            mailbox,
            List.of(entry),
            refusal ? How.REFUSED : How.ANSWERED,
            refusal ? Content.of(sent).body() : copy.id());
    throw ended(entry);
  }

  /** Deals with messages without an answer. */
  public synchronized void acknowledge(Collection<String> ids) {
    endAll(ids, How.ACKNOWLEDGED, null);
  }

  /** Says that messages won't be dealt with, and why; their senders are told. */
  public synchronized void refuse(Collection<String> ids, String reason) {
    Ledger ledger = sessions.present(session);
    Mailbox mailbox = mailboxes.of(me());
    List<Entry> entries = ids.stream().map(id -> open(mailbox, id)).toList();
    for (Entry entry : entries) {
      if (!entry.automatic() && AgentName.isValid(entry.from())) {
        Draft refusal =
            Draft.to(entry.from())
                .type(MailTypes.REFUSAL)
                .says("Refused", reason)
                .thread(entry.thread())
                .replyTo(entry.id())
                .key("reply:" + entry.id());
        Receipt receipt = posting.send(ledger, sessions.now(), me(), refusal, true);
        checkOurs(mailbox, entry, receipt.first(), refusal);
      }
    }
    checkEnded(end(mailbox, entries, How.REFUSED, reason), How.REFUSED.note(reason));
  }

  /** Takes messages out of the inbox, held ones too. */
  public synchronized void remove(Collection<String> ids) {
    endAll(ids, How.REMOVED, null);
  }

  /** Takes everything out of the inbox; answers how many messages that were. */
  public synchronized int clear() {
    var _ = sessions.present(session);
    Mailbox mailbox = mailboxes.of(me());
    List<Entry> entries = List.copyOf(mailbox.inbox());
    return entries.isEmpty() ? 0 : entries.size() - end(mailbox, entries, How.REMOVED, null).size();
  }

  private void endAll(Collection<String> ids, How how, @Nullable String reason) {
    var _ = sessions.present(session);
    Mailbox mailbox = mailboxes.of(me());
    List<Entry> entries = ids.stream().map(id -> open(mailbox, id)).toList();
    if (!entries.isEmpty()) {
      checkEnded(end(mailbox, entries, how, reason), null);
    }
  }

  /** Ends messages; gives back those that something else ended before. */
  private List<Entry> end(Mailbox mailbox, List<Entry> entries, How how, @Nullable String reason) {
    Topic receipts = Mailbox.receiptsOf(me());
    Position ended =
        log()
            .append(
                receipts, List.of(Receipts.end(mailbox, me(), session.id(), entries, how, reason)))
            .getFirst()
            .position();
    String proof = ended.in(receipts);
    Mailbox after = mailboxes.folded(me()).refreshThrough(receipts, ended);
    // The entries of a mailbox go on with it, also when it has forgotten them.
    return entries.stream()
        .map(entry -> after.equals(mailbox) ? entry : after.find(entry.id()))
        .filter(Objects::nonNull)
        .filter(entry -> entry.trail().stream().noneMatch(step -> step.proof().equals(proof)))
        .toList();
  }

  /**
   * @param same how another may have ended them without harm: with the same answer
   */
  private static void checkEnded(List<Entry> before, @Nullable String same) {
    for (Entry entry : before) {
      if (same == null || !same.equals(entry.trail().getLast().note())) {
        throw ended(entry);
      }
    }
  }

  private Entry open(Mailbox mailbox, String id) {
    Entry entry = mailbox.find(id);
    if (entry == null) {
      throw ParleyException.invalid(
          "no-such-message",
          "There is no message " + id + " in the inbox of " + me() + ".",
          "parley inbox lists what is there.");
    }
    if (entry.hasEnded()) {
      throw ended(entry);
    }
    return entry;
  }

  private static ParleyException ended(Entry entry) {
    Step last = entry.trail().getLast();
    return ParleyException.refused(
        "already-ended",
        "The message "
            + entry.id()
            + " is "
            + last.state().word()
            + " already ("
            + last.note()
            + ").",
        "To say more in its thread: parley send " + entry.from() + " --thread " + entry.thread());
  }

  /** The letters in the inbox that are wanted, the oldest first. */
  public synchronized List<Letter> inbox(Filter filter) {
    return letters(check(), filter, Integer.MAX_VALUE);
  }

  /** The most urgent first, and of those the oldest. */
  public static final Comparator<Letter> MOST_URGENT =
      Comparator.comparing((Letter letter) -> letter.entry().priority())
          .reversed()
          .thenComparing(letter -> letter.entry().position());

  public static final Comparator<Letter> NEWEST =
      Comparator.comparing((Letter letter) -> letter.entry().position()).reversed();

  /** One letter in the inbox or ended lately. */
  public synchronized @Nullable Letter find(String id) {
    Entry entry = mailboxes.of(me()).find(id);
    return entry == null ? null : letter(me(), entry);
  }

  /** What is kept back by the damper. */
  public synchronized List<Letter> held() {
    return check().inbox().stream()
        .filter(entry -> entry.state() == State.HELD)
        .map(entry -> letter(me(), entry))
        .filter(Objects::nonNull)
        .toList();
  }

  /** Lets messages go that the damper held. */
  public synchronized void letGo(Collection<String> ids) {
    var _ = sessions.present(session);
    Mailbox mailbox = mailboxes.of(me());
    for (String id : ids) {
      Entry entry = open(mailbox, id);
      if (entry.state() != State.HELD) {
        throw ParleyException.refused(
            "not-held", "The message " + id + " is not held.", "parley inbox held lists those.");
      }
      append(
          Mailbox.mailOf(me()),
          Message.of(
              me(),
              MailTypes.LET_GO,
              Json.object().put("position", entry.position().value()).put("id", id).build()));
    }
  }

  public synchronized MailLimits limits() {
    return mailboxes.of(me()).limits();
  }

  public synchronized void setLimits(MailLimits limits) {
    var _ = sessions.present(session);
    append(Mailbox.mailOf(me()), Message.of(me(), MailTypes.LIMITS, limits.toJson()));
  }

  /** Says that letters were handed to the program that asked for them. */
  public synchronized void delivered(Collection<Letter> letters) {
    receipt(letters, false);
  }

  /** Says that letters were put before the agent itself. */
  public synchronized void seen(Collection<Letter> letters) {
    receipt(letters, true);
  }

  private void receipt(Collection<Letter> letters, boolean seen) {
    Set<Position> given = new HashSet<>();
    for (Letter letter : letters) {
      boolean news =
          seen
              ? !letter.entry().has(State.SEEN)
              : !Letter.givenTo(letter.entry(), session.id()) && !letter.entry().has(State.SEEN);
      if (news) {
        given.add(letter.entry().position());
      }
    }
    if (!given.isEmpty()) {
      append(
          Mailbox.receiptsOf(me()),
          Receipts.receipt(mailboxes.of(me()), me(), session.id(), given, seen));
    }
  }

  /**
   * Waits for a letter that this session has not been given, the oldest first; one that came before
   * the wait began is found as well. It costs nothing while nothing happens. The caller says that
   * it was {@link #delivered}.
   *
   * @return null if the time is over
   */
  public @Nullable Letter await(Filter filter, Duration atMost) throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    // A bell that hangs already has rung for whatever comes after this look.
    Doorbell bell = bells.poll();
    Letter there = next(filter);
    if (there != null || atMost.isZero()) {
      if (bell != null) {
        bells.add(bell);
      }
      return there;
    }
    boolean looked = bell != null;
    if (bell == null) {
      bell = log().doorbell(new Prefix(Mailbox.mailOf(me())));
    }
    try {
      while (true) {
        Letter letter = looked ? null : next(filter);
        looked = false;
        long left = end - System.nanoTime();
        if (letter != null || left <= 0) {
          return letter;
        }
        var _ = bell.await(shortest(Duration.ofNanos(left)));
      }
    } finally {
      bells.add(bell);
    }
  }

  private synchronized @Nullable Letter next(Filter filter) {
    List<Letter> found = letters(check(), filter.unread(true), 1, true);
    return found.isEmpty() ? null : found.getFirst();
  }

  /**
   * Calls a handler with every letter that is wanted, on a thread of its own, until it is closed. A
   * handler that returns has been given the letter; one that throws is reported, and the next
   * letter comes all the same.
   */
  public Listening listen(Filter filter, Consumer<Letter> handler) {
    Doorbell bell = log().doorbell(new Prefix(Mailbox.mailOf(me())));
    Listening listening = new Listening(bell);
    Thread.ofPlatform()
        .daemon()
        .name("mail of " + me())
        .start(() -> listen(filter, handler, bell, listening));
    return listening;
  }

  /** Ends when it is closed. */
  public static final class Listening implements AutoCloseable {
    private final Doorbell bell;
    private volatile boolean closed;

    private Listening(Doorbell bell) {
      this.bell = bell;
    }

    /** No letter is taken any more; one that is being handled is handled to its end. */
    @Override
    public void close() {
      closed = true;
      bell.close();
    }
  }

  private void listen(Filter filter, Consumer<Letter> handler, Doorbell bell, Listening listening) {
    try {
      while (!listening.closed) {
        Letter letter = next(filter);
        if (letter == null) {
          var _ = bell.await(shortest(SWEEP));
        } else {
          handle(handler, letter);
        }
      }
    } catch (RuntimeException | InterruptedException e) {
      if (!listening.closed) {
        reporter.report(new Report.Stopped(new Prefix(Mailbox.mailOf(me())), e));
      }
    }
  }

  private void handle(Consumer<Letter> handler, Letter letter) {
    try {
      handler.accept(letter);
    } catch (RuntimeException e) {
      reporter.report(new Report.HandlerFailed(letter.envelope(), 1, e));
    }
    delivered(List.of(letter));
  }

  /** Until a deadline passes, or it is time for a look. */
  private synchronized Duration shortest(Duration left) {
    Duration wait = left.compareTo(SWEEP) < 0 ? left : SWEEP;
    Instant now = sessions.now();
    Instant next = Deadlines.next(mailboxes.of(me()), now);
    if (next != null) {
      Duration until = Duration.between(now, next).plusMillis(1);
      wait = until.compareTo(wait) < 0 ? until : wait;
    }
    return wait;
  }

  /** This agent's mailbox after a look at the clock, as someone who is here. */
  private Mailbox check() {
    Ledger ledger = sessions.present(session);
    return deadlines.check(me(), ledger, sessions.now(), me());
  }

  private List<Letter> letters(Mailbox mailbox, Filter filter, int limit) {
    return letters(mailbox, filter, limit, false);
  }

  private List<Letter> letters(Mailbox mailbox, Filter filter, int limit, boolean onlyNews) {
    List<Letter> letters = new ArrayList<>();
    for (Entry entry : mailbox.inbox()) {
      if (!filter.wants(entry) || (onlyNews && Letter.givenTo(entry, session.id()))) {
        continue;
      }
      Letter letter = letter(me(), entry);
      if (letter != null && filter.wants(letter)) {
        letters.add(letter);
        if (letters.size() == limit) {
          break;
        }
      }
    }
    return letters;
  }

  private @Nullable Letter letter(String agent, Entry entry) {
    Envelope envelope = mailboxes.read(agent, entry);
    return envelope == null
        ? null
        : Letter.of(entry, envelope, agent.equals(me()) ? session.id() : null);
  }

  /** What was sent lately and what became of each copy, the oldest first. */
  public synchronized List<SentLetter> sent() {
    Ledger ledger = sessions.present(session);
    List<SentLetter> letters = new ArrayList<>();
    for (Outbox.Sent sent : outbox.refresh().sent()) {
      for (Outbox.Copy copy : sent.copies()) {
        Mailbox mailbox = deadlines.check(copy.to(), ledger, sessions.now(), me());
        Entry entry = mailbox.find(copy.id());
        letters.add(
            new SentLetter(
                sent,
                copy,
                entry == null ? null : entry.asItIs(),
                Posting.warning(ledger, sessions.now(), copy.to())));
      }
    }
    return letters;
  }

  /** A letter that this agent sent, as it is in the mailbox of its recipient. */
  public synchronized @Nullable Letter findSent(String id) {
    for (Outbox.Sent sent : outbox.refresh().sent()) {
      for (Outbox.Copy copy : sent.copies()) {
        Entry entry = copy.id().equals(id) ? mailboxes.of(copy.to()).find(id) : null;
        if (entry != null) {
          return letter(copy.to(), entry);
        }
      }
    }
    return null;
  }

  /** Sends a dead letter again, as a new message with the same content. */
  public synchronized Receipt resend(String id) {
    for (SentLetter sent : sent()) {
      Entry entry = sent.entry();
      if (sent.copy().id().equals(id) && entry != null && entry.has(State.DEAD)) {
        Envelope envelope = mailboxes.read(sent.copy().to(), entry);
        if (envelope != null) {
          Draft again =
              Draft.to(sent.copy().to())
                  .type(entry.type())
                  .content(Content.of(envelope))
                  .priority(entry.priority())
                  .thread(entry.thread())
                  .replyTo(entry.replyTo());
          return send(entry.needsReply() ? again.needsReply(null) : again, true);
        }
      }
    }
    throw ParleyException.invalid(
        "no-such-dead-letter",
        id + " is not a dead letter that you sent.",
        "parley inbox dead lists them.");
  }

  private void append(Topic topic, Message message) {
    var _ = log().append(topic, List.of(message));
  }
}
