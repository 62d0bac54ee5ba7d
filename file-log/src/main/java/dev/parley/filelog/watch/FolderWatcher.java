package dev.parley.filelog.watch;

import dev.parley.core.Doorbell;
import dev.parley.core.ParleyException;
import dev.parley.core.Prefix;
import dev.parley.core.Topic;
import dev.parley.core.bus.LocalDoorbell;
import dev.parley.filelog.FileLog;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Watches a bus folder for appends of other processes and rings the bells of this one.
 *
 * <p>It uses the system's file watch where that is a real one, and looks at the sizes of the files
 * at intervals otherwise, or as soon as the watch fails: there is always someone who looks. One
 * thread a log, started with the first bell; while nobody waits it does nothing. Where only one
 * waits, he does its work: see {@link WatchOwnership}.
 *
 * <pre>
 * watching ──watch lost (folder replaced, limit, error)──▶ polling ──every few seconds──▶ watching
 * </pre>
 */
public final class FolderWatcher implements AutoCloseable {
  /** After how long a watch that failed is tried again. */
  private static final Duration RETRY = Duration.ofSeconds(3);

  private final FileLog log;
  private final Path folder;
  private final LocalDoorbell.DoorbellRegistry bells;
  private final FolderPoller polling;
  private final Thread thread;
  private final WatchOwnership seat = new WatchOwnership();
  private volatile @Nullable ChangeWatch watch;
  private volatile String way = "not started";
  private volatile boolean closed;

  public FolderWatcher(
      FileLog log, Path folder, LocalDoorbell.DoorbellRegistry bells, PollingInterval interval) {
    this.log = log;
    this.folder = folder;
    this.bells = bells;
    this.polling = new FolderPoller(log, bells, interval);
    this.thread = Thread.ofPlatform().daemon().name("lookout").unstarted(this::run);
    startWatching();
    thread.start();
  }

  /** How news of other processes arrive now, in words. */
  public String way() {
    return way;
  }

  private void startWatching() {
    try {
      watch = ChangeWatch.open(folder);
      way = "file watch";
    } catch (ChangeWatch.UnavailableException e) {
      watch = null;
      way = polling.describe() + " (" + e.getMessage() + ")";
    }
  }

  private void run() {
    long nextTry = System.nanoTime() + RETRY.toNanos();
    try {
      while (!closed) {
        seat.awaitOurs();
        ChangeWatch watching = watch;
        if (watching == null) {
          polling.waitAndLook();
          if (System.nanoTime() - nextTry >= 0) {
            nextTry = System.nanoTime() + RETRY.toNanos();
            startWatching();
            if (watch != null) {
              ringAll(); // what happened since the last look was seen by neither
            }
          }
        } else if (!watching.waitAndRing(Long.MAX_VALUE, this::lendAndRing, this::ringAll)) {
          seat.demand();
          watching.close();
          seat.awaitOurs();
          startWatching();
          ringAll(); // what happened between the two watches was seen by neither
        }
      }
    } catch (InterruptedException e) {
      // Closed.
    } finally {
      ChangeWatch watching = watch;
      if (watching != null) {
        watching.close();
      }
    }
  }

  public Doorbell add(Prefix prefix) {
    FileDoorbell doorbell = new FileDoorbell(bells.add(prefix), prefix, this);
    seat.add(doorbell);
    return doorbell;
  }

  void remove(FileDoorbell doorbell) {
    if (seat.remove(doorbell)) {
      endWatching();
    }
  }

  /** Nothing but its end wakes who sits at the watch; the lookout's thread will make another. */
  private void endWatching() {
    ChangeWatch watching = watch;
    if (watching != null && seat.isTaken()) {
      watching.close();
    }
  }

  private void lendAndRing(Set<Topic> topics) {
    seat.lendAndRing(topics, bells::ring);
  }

  private void ring(Set<Topic> topics) {
    topics.forEach(bells::ring);
  }

  /** Waits for events and rings for them, in the place of the lookout's thread. */
  void watch(long nanos) throws InterruptedException {
    ChangeWatch watching = watch;
    if (watching == null || !watching.waitAndRing(nanos, this::ring, this::ringAll)) {
      if (watching != null) {
        watching.close(); // so that the lookout's thread notices too
      }
      seat.demand();
    }
  }

  /**
   * Whether who is about to wait may do so at the watch; then he must {@linkplain
   * WatchOwnership#rise rise}.
   */
  boolean sit(FileDoorbell doorbell) {
    ChangeWatch watching = watch;
    if (watching != null && watching.holdsThread() && Thread.currentThread().isVirtual()) {
      seat.demand();
      return false;
    }
    return seat.sit(doorbell);
  }

  WatchOwnership seat() {
    return seat;
  }

  /** This process has rung for an append of its own: that wakes nobody who sits at the watch. */
  public void appended(Topic topic) {
    if (seat.isAwaited(topic)) {
      seat.demand();
    }
  }

  private void ringAll() {
    try {
      log.topics(Prefix.ALL).forEach(bells::ring);
    } catch (ParleyException e) {
      // The log was closed, or its folder is gone: whoever reads a topic will be told.
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}
