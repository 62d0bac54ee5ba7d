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
 * Watches a bus folder for appends of other processes and rings the doorbells of this one.
 *
 * <p>It uses the system's file watch where that is a real one. Otherwise, and as soon as the watch
 * fails, it polls the sizes of the files. There is one thread for each log, started with the first
 * doorbell. A single waiting reader does the thread's work itself: see {@link WatchOwnership}.
 *
 * <pre>
 * watching ──watch lost (folder replaced, limit, error)──▶ polling ──every few seconds──▶ watching
 * </pre>
 */
public final class FolderWatcher implements AutoCloseable {
  /** The time after which a failed watch is tried again. */
  private static final Duration RETRY = Duration.ofSeconds(3);

  private final FileLog log;
  private final Path folder;
  private final LocalDoorbell.DoorbellRegistry bells;
  private final FolderPoller polling;
  private final WatchOpener opener;
  private final Thread thread;
  private final WatchOwnership ownership = new WatchOwnership();
  private volatile @Nullable ChangeWatch watch;
  private volatile String way = "not started";
  private volatile boolean closed;

  public FolderWatcher(
      FileLog log, Path folder, LocalDoorbell.DoorbellRegistry bells, PollingInterval interval) {
    this(log, folder, bells, interval, ChangeWatch::open);
  }

  FolderWatcher(
      FileLog log,
      Path folder,
      LocalDoorbell.DoorbellRegistry bells,
      PollingInterval interval,
      WatchOpener opener) {
    this.log = log;
    this.folder = folder;
    this.bells = bells;
    this.opener = opener;
    this.polling = new FolderPoller(log, bells, interval);
    this.thread = Thread.ofPlatform().daemon().name("folder-watcher").unstarted(this::run);
    startWatching();
    thread.start();
  }

  /** Opens the system's watch on a folder. A system has few, which all programs of a user share. */
  interface WatchOpener {
    ChangeWatch open(Path folder) throws ChangeWatch.UnavailableException;
  }

  /** How changes by other processes are detected now, in words. */
  public String way() {
    return way;
  }

  private void startWatching() {
    try {
      watch = opener.open(folder);
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
        ownership.awaitOurs();
        ChangeWatch watching = watch;
        if (watching == null) {
          polling.waitAndPoll();
          if (System.nanoTime() - nextTry >= 0) {
            nextTry = System.nanoTime() + RETRY.toNanos();
            startWatching();
            if (watch != null) {
              ringAll(); // changes since the last poll were seen by neither
            }
          }
        } else if (!watching.waitAndRing(Long.MAX_VALUE, this::lendAndRing, this::ringAll)) {
          ownership.reclaim();
          watching.close();
          ownership.awaitOurs();
          startWatching();
          ringAll(); // changes between the two watches were seen by neither
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
    ownership.add(doorbell);
    return doorbell;
  }

  void remove(FileDoorbell doorbell) {
    if (ownership.remove(doorbell)) {
      endWatching();
    }
  }

  /**
   * Closes the watch, the only way to wake a reader that waits on it. The watcher's thread opens
   * another.
   */
  private void endWatching() {
    ChangeWatch watching = watch;
    if (watching != null && ownership.isTaken()) {
      watching.close();
    }
  }

  private void lendAndRing(Set<Topic> topics) {
    ownership.lendAndRing(topics, bells::ring);
  }

  private void ring(Set<Topic> topics) {
    topics.forEach(bells::ring);
  }

  /** Waits for events and rings for them, instead of the watcher's thread. */
  void watch(long nanos) throws InterruptedException {
    ChangeWatch watching = watch;
    if (watching == null || !watching.waitAndRing(nanos, this::ring, this::ringAll)) {
      if (watching != null) {
        watching.close(); // so that the watcher's thread notices too
      }
      ownership.reclaim();
    }
  }

  /**
   * Takes the watch for a reader that is about to wait; if true, the reader must {@linkplain
   * WatchOwnership#release release} it.
   */
  boolean take(FileDoorbell doorbell) {
    ChangeWatch watching = watch;
    if (watching != null && watching.holdsThread() && Thread.currentThread().isVirtual()) {
      ownership.reclaim();
      return false;
    }
    return ownership.take(doorbell);
  }

  WatchOwnership ownership() {
    return ownership;
  }

  /**
   * Called after an append of this process. Ringing does not wake a reader that waits on the watch.
   */
  public void appended(Topic topic) {
    if (ownership.isAwaited(topic)) {
      ownership.reclaim();
    }
  }

  private void ringAll() {
    try {
      log.topics(Prefix.ALL).forEach(bells::ring);
    } catch (ParleyException e) {
      // The log was closed, or its folder is gone: reading a topic will report it.
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}
