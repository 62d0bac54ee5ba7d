package dev.parley.core.bus;

import dev.parley.core.Bookmark;
import dev.parley.core.Envelope;
import dev.parley.core.Log;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Prefix;
import dev.parley.core.Report;
import dev.parley.core.Reporter;
import dev.parley.core.Stored;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Calls a handler with every envelope of some topics, in order within each topic.
 *
 * <pre>
 * running ──close──▶ closed       the handler's current call ends, the cursor is saved
 *    └──handler throws, STOP──▶ failed
 *    └──the log can't be read──▶ failed
 * </pre>
 *
 * <p>With a cursor, delivery is at least once: the cursor is saved after envelopes have been
 * handled, so a killed process gets the latest ones again.
 */
public final class Subscription implements Bus.Ending {
  /** The topic that envelopes go to when their handler gave up on them. */
  public static final Topic DEAD_LETTERS = new Topic("dead-letters");

  private static final Duration WAIT = Duration.ofSeconds(60);

  private final Log log;
  private final Prefix prefix;
  private final Feed feed;
  private final Handler handler;
  private final OnFailure onFailure;
  private final @Nullable Saver saver;
  private final Reporter reporter;
  private final Thread thread;
  private final CountDownLatch ended = new CountDownLatch(1);
  private @Nullable Envelope done;
  private boolean unsaved;
  private volatile @Nullable Exception failure;

  /** Saves the places of a subscription. */
  interface Saver {
    void save(Map<Topic, Bookmark> places);
  }

  Subscription(
      Log log,
      Prefix prefix,
      Feed feed,
      Handler handler,
      OnFailure onFailure,
      @Nullable Saver saver,
      Reporter reporter) {
    this.log = log;
    this.prefix = prefix;
    this.feed = feed;
    this.handler = handler;
    this.onFailure = onFailure;
    this.saver = saver;
    this.reporter = reporter;
    // Not a virtual one: that was woken 25 µs later on a file log, with twice the CPU.
    this.thread =
        Thread.ofPlatform().daemon().name("subscription to " + prefix).unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  private void run() {
    try {
      while (!feed.hasEnded()) {
        Envelope envelope = feed.next(WAIT);
        if (envelope != null && deal(envelope)) {
          done = envelope;
          unsaved = true;
        }
        if (unsaved && !feed.hasReady()) {
          saveNowOrLater();
        }
      }
      save();
    } catch (Exception e) {
      fail(e);
    } finally {
      feed.close();
      ended.countDown();
    }
  }

  /**
   * Saves the places. If that fails, for example on a full disk, the subscription goes on and saves
   * later: after a crash some envelopes are delivered again.
   */
  private void saveNowOrLater() {
    try {
      save();
    } catch (ParleyException e) {
      if (!e.mayPass()) {
        throw e;
      }
      reporter.report(new Report.Retried("saving the place in " + prefix, e));
    }
  }

  private void save() {
    if (saver != null) {
      saver.save(feed.places(done));
    }
    unsaved = false;
  }

  /** Calls the handler as often as it takes; false if the subscription stops at this envelope. */
  private boolean deal(Envelope envelope) {
    int attempts = onFailure instanceof OnFailure.Retry retry ? retry.times() + 1 : 1;
    for (int attempt = 1; ; attempt++) {
      try {
        handler.handle(envelope);
        return true;
      } catch (Exception e) {
        reporter.report(new Report.HandlerFailed(envelope, attempt, e));
        if (attempt < attempts) {
          continue;
        }
        if (onFailure instanceof OnFailure.Stop) {
          failure = e;
          feed.close();
          return false;
        }
        if (onFailure instanceof OnFailure.Retry) {
          writeDeadLetter(envelope, attempt, e);
        }
        return true;
      }
    }
  }

  private void writeDeadLetter(Envelope envelope, int attempts, Exception error) {
    if (envelope.topic().equals(DEAD_LETTERS)) {
      return; // A dead letter about a dead letter would come back here, without end.
    }
    Json payload =
        Json.object()
            .put("topic", envelope.topic().name())
            .put("position", envelope.position().value())
            .put("id", envelope.id())
            .put("attempts", attempts)
            .put("error", error.toString())
            .build();
    Message letter =
        Message.builder(Bus.SYSTEM, SystemTypes.DEAD_LETTER)
            .payload(payload)
            .automatic(true)
            .build();
    Stored stored = log.append(DEAD_LETTERS, List.of(letter)).getFirst();
    reporter.report(new Report.DeadLettered(envelope, stored));
  }

  private void fail(Exception e) {
    if (!feed.hasEnded()) {
      failure = e;
      reporter.report(new Report.Stopped(prefix, e));
    }
  }

  @Override
  public boolean hasEnded() {
    return ended.getCount() == 0;
  }

  /** What ended the subscription, if it was not {@link #close}. */
  public @Nullable Exception failure() {
    return failure;
  }

  /** Waits until the subscription has ended; false if the time was over first. */
  public boolean awaitEnd(Duration atMost) throws InterruptedException {
    return ended.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
  }

  /**
   * Unsubscribes. Waits for the handler's current call, unless that is who closes; afterwards the
   * handler is not called again.
   */
  @Override
  public void close() {
    feed.close();
    ThreadJoin.joinFully(thread);
  }
}
