package dev.parley.coordination.mail;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.parley.coordination.board.BoardSession;
import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.FoldReader;
import dev.parley.coordination.fold.Priority;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.LedgerOwner;
import dev.parley.coordination.mailbox.ClockReading;
import dev.parley.coordination.mailbox.MailTypes;
import dev.parley.coordination.mailbox.Outbox;
import dev.parley.coordination.roster.Member;
import dev.parley.core.AgentName;
import dev.parley.core.Log;
import dev.parley.core.ParleyException;
import dev.parley.core.Prefix;
import dev.parley.core.Report;
import dev.parley.core.Reporter;
import dev.parley.core.Topic;
import dev.parley.core.bus.Bus;
import dev.parley.core.json.Json;
import dev.parley.core.store.Contents;
import dev.parley.core.store.Views;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Does what time has made due, for all agents: ends claims, leases and phases of boards, marks
 * messages as overdue or dead, and mails electors that a board waits for them. No background
 * process does this, so every thread that waits or reads does all of it. Each step is idempotent.
 *
 * <p>Safe for use by many threads.
 */
public final class DueWork {
  /**
   * How often a waiting thread checks the mailboxes of all agents, unless something is due sooner.
   */
  private static final Duration SWEEP = Duration.ofSeconds(5);

  /** The shortest pause between two rounds in milliseconds, also after a round that failed. */
  private static final long LEAST_PAUSE = 100;

  private static final String MAIL = "mail.";
  private static final char DOT_IN_TOPICS = '~';

  private final LedgerOwner owner;
  private final Mailboxes mailboxes;
  private final MailDelivery delivery;
  private final Deadlines deadlines;
  private long again = System.nanoTime();

  DueWork(LedgerOwner owner, Mailboxes mailboxes, MailDelivery delivery, Deadlines deadlines) {
    this.owner = owner;
    this.mailboxes = mailboxes;
    this.delivery = delivery;
    this.deadlines = deadlines;
  }

  /** Shared by all sessions of a process, so that it looks for due work only once. */
  public static DueWork of(
      LedgerOwner owner, Log log, Views views, Contents contents, Reporter reporter) {
    Mailboxes mailboxes = new Mailboxes(log, views, reporter);
    MailDelivery delivery =
        new MailDelivery(
            owner,
            mailboxes,
            new FoldReader<>(log, views, reporter, Outbox.kind(Bus.SYSTEM)),
            contents);
    return new DueWork(owner, mailboxes, delivery, new Deadlines(owner, mailboxes, delivery));
  }

  /** Does what is due, unless that was done a moment ago and nothing can have become due since. */
  synchronized void processNowAndThen(String sender) {
    if (again - System.nanoTime() <= 0) {
      process(sender);
    }
  }

  /** How long it is until something may be due. */
  synchronized Duration untilNext() {
    return Duration.ofNanos(Math.max(0, again - System.nanoTime()));
  }

  /** Does everything that is due now. */
  public synchronized void process(String sender) {
    owner.passTime(sender);
    ClockReading now = new ClockReading(mailboxes.log().clock().now(), owner.wall());
    Duration next = SWEEP;
    for (String agent : agents()) {
      Duration left = Deadlines.untilNext(deadlines.check(agent, now, sender), now);
      next = left != null && left.compareTo(next) < 0 ? left : next;
    }
    owner.lookAtLastKnown(DueWork::calls).forEach(this::call);
    again = System.nanoTime() + next.plusMillis(1).toNanos();
  }

  /** Does what is due on a thread of its own, until it is closed. */
  public Keeping keep(String sender, Reporter reporter) {
    CountDownLatch closed = new CountDownLatch(1);
    Thread thread =
        Thread.ofPlatform().daemon().name("due work").start(() -> keep(sender, reporter, closed));
    return () -> {
      closed.countDown();
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    };
  }

  private void keep(String sender, Reporter reporter, CountDownLatch closed) {
    try {
      do {
        try {
          process(sender);
        } catch (ParleyException e) {
          reporter.report(new Report.Retried("what is due", e));
        }
      } while (!closed.await(Math.max(LEAST_PAUSE, untilNext().toMillis()), MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public interface Keeping extends AutoCloseable {
    @Override
    void close();
  }

  /** All agents that have a mailbox. */
  private List<String> agents() {
    List<String> agents = new ArrayList<>();
    for (Topic topic : mailboxes.log().topics(Prefix.of("mail"))) {
      String name = topic.name();
      String agent =
          name.startsWith(MAIL) ? name.substring(MAIL.length()).replace(DOT_IN_TOPICS, '.') : "";
      if (AgentName.isValid(agent)) {
        agents.add(agent);
      }
    }
    return agents;
  }

  /** A notice to an elector that a board waits for it in the present phase. */
  private record Call(String elector, String board, String checkpoint, String phase, int round) {
    String key() {
      return "board:" + board + ":" + phase + ":" + round;
    }
  }

  private static List<Call> calls(Ledger ledger) {
    List<Call> calls = new ArrayList<>();
    for (BoardSession meeting : ledger.boards().all()) {
      if (meeting.phase().isDecided()) {
        continue;
      }
      for (String elector : meeting.missing()) {
        Member member = ledger.roster().member(elector);
        if (member == null
            || !member.isMounted()) { // a mounted agent's own tool tells it of boards
          calls.add(
              new Call(
                  elector,
                  meeting.id(),
                  meeting.agenda().checkpoint(),
                  meeting.phase().name(),
                  meeting.stage().round()));
        }
      }
    }
    return calls;
  }

  /** Whether a notice to an elector is out of date: it has answered, or the phase is over. */
  static boolean isOver(Ledger ledger, String elector, Json notice) {
    Fields call = Fields.of(notice);
    BoardSession meeting = ledger.boards().meeting(call.text("board", ""));
    return meeting == null
        || meeting.phase().isDecided()
        || !meeting.phase().name().equals(call.text("phase"))
        || meeting.stage().round() != call.number("round", 0)
        || !meeting.missing().contains(elector);
  }

  private void call(Call call) {
    if (mailboxes.of(call.elector).sentWith(Bus.SYSTEM, call.key()) != null) {
      return;
    }
    String phase = call.phase + (call.round == 0 ? "" : " " + call.round);
    Draft draft =
        Draft.to(call.elector)
            .type(MailTypes.BOARD_CALL)
            .says(
                "Board " + call.board + ": " + phase,
                "The phase "
                    + phase
                    + " of "
                    + call.board
                    + " ("
                    + call.checkpoint
                    + ") has begun, and you have not said anything in it yet.")
            .metadata(
                Json.object()
                    .put("board", call.board)
                    .put("phase", call.phase)
                    .put("round", call.round)
                    .build())
            .priority(Priority.HIGH)
            .key(call.key())
            .automatic(true);
    delivery.notify(call.elector, draft);
  }
}
