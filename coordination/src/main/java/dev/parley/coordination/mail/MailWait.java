package dev.parley.coordination.mail;

import dev.parley.coordination.mailbox.Mailbox;
import dev.parley.core.Doorbell;
import dev.parley.core.Log;
import dev.parley.core.ParleyException;
import dev.parley.core.Prefix;
import dev.parley.core.Report;
import dev.parley.core.Reporter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Waits for messages without using CPU time while nothing happens. Safe for use by many threads.
 */
final class MailWait {
  /** How often a waiting thread reads without a ring, because a ring may be lost. */
  private static final Duration SWEEP = Duration.ofSeconds(5);

  private final Mail mail;
  private final Log log;
  private final Prefix topic;
  private final Reporter reporter;

  /** Opening a doorbell is expensive, so each one serves many waits. */
  private final ConcurrentLinkedQueue<Doorbell> bells = new ConcurrentLinkedQueue<>();

  MailWait(Mail mail, Log log, String agent, Reporter reporter) {
    this.mail = mail;
    this.log = log;
    this.topic = new Prefix(Mailbox.mailOf(agent));
    this.reporter = reporter;
  }

  @Nullable ReceivedMail await(MailFilter filter, Duration atMost) throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    // An open doorbell rings for every line after this read.
    Doorbell bell = bells.poll();
    ReceivedMail there = mail.next(filter);
    if (there != null || atMost.isZero()) {
      if (bell != null) {
        bells.add(bell);
      }
      return there;
    }
    boolean looked = bell != null;
    if (bell == null) {
      bell = log.doorbell(topic);
    }
    try {
      while (true) {
        ReceivedMail letter = looked ? null : mail.next(filter);
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

  /** How long to sleep: until the deadline, but at most until the next due work. */
  private Duration shortest(Duration left) {
    Duration look = left.compareTo(SWEEP) < 0 ? left : SWEEP;
    Duration deadline = mail.untilNextDeadline();
    return deadline.compareTo(look) < 0 ? deadline : look;
  }

  Mail.Listening listen(MailFilter filter, Consumer<ReceivedMail> handler) {
    Ear ear = new Ear(log.doorbell(topic));
    Thread.ofPlatform().daemon().name(topic.toString()).start(() -> ear.listen(filter, handler));
    return ear;
  }

  /** Gives every message to a handler, until it is closed. */
  private final class Ear implements Mail.Listening {
    private final Doorbell bell;
    private volatile boolean closed;

    /** A message that was handled but could not be recorded as delivered yet. */
    private @Nullable ReceivedMail unsaid;

    Ear(Doorbell bell) {
      this.bell = bell;
    }

    void listen(MailFilter filter, Consumer<ReceivedMail> handler) {
      try {
        while (!closed) {
          if (!handledOne(filter, handler)) {
            var _ = bell.await(shortest(SWEEP));
          }
        }
      } catch (RuntimeException | InterruptedException e) {
        if (!closed) {
          reporter.report(new Report.Stopped(topic, e));
        }
      }
    }

    /**
     * Handles one message; false if there is none. A message whose receipt could not be stored, say
     * because the disk was full, is not handled twice.
     */
    private boolean handledOne(MailFilter filter, Consumer<ReceivedMail> handler) {
      try {
        if (unsaid == null) {
          unsaid = mail.next(filter);
          if (unsaid == null) {
            return false;
          }
          handle(handler, unsaid);
        }
        mail.delivered(List.of(unsaid));
        unsaid = null;
        return true;
      } catch (ParleyException e) {
        if (!e.mayPass()) {
          throw e;
        }
        reporter.report(new Report.Retried("listening to " + topic, e));
        return false;
      }
    }

    private void handle(Consumer<ReceivedMail> handler, ReceivedMail letter) {
      try {
        handler.accept(letter);
      } catch (RuntimeException e) {
        reporter.report(new Report.HandlerFailed(letter.envelope(), 1, e));
      }
    }

    @Override
    public void close() {
      closed = true;
      bell.close();
    }
  }
}
