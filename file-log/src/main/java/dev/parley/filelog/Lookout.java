package dev.parley.filelog;

import dev.parley.core.Bell;
import dev.parley.core.ParleyException;
import dev.parley.core.Prefix;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Watches a bus folder for appends of other processes and rings the bells of this one.
 *
 * <p>It uses the system's file watch where that is a real one, and looks at the sizes of the files
 * at intervals otherwise, or as soon as the watch fails: there is always someone who looks. One
 * thread a log, started with the first bell; while nobody waits it does nothing.
 *
 * <pre>
 * watching ──watch lost (folder replaced, limit, error)──▶ polling ──every few seconds──▶ watching
 * </pre>
 */
final class Lookout implements AutoCloseable {
  /** After how long a watch that failed is tried again. */
  private static final Duration RETRY = Duration.ofSeconds(3);

  private final FileLog log;
  private final Path folder;
  private final Bell.Tower bells;
  private final Polling polling;
  private final Thread thread;
  private volatile @Nullable FolderWatch watch;
  private volatile String way = "not started";
  private volatile boolean closed;

  Lookout(FileLog log, Path folder, Bell.Tower bells, PollingInterval interval) {
    this.log = log;
    this.folder = folder;
    this.bells = bells;
    this.polling = new Polling(log, bells, interval);
    this.thread = Thread.ofPlatform().daemon().name("lookout").unstarted(this::run);
    startWatching();
    thread.start();
  }

  /** How news of other processes arrive now, in words. */
  String way() {
    return way;
  }

  private void startWatching() {
    try {
      watch = FolderWatch.open(folder);
      way = "file watch";
    } catch (FolderWatch.UnavailableException e) {
      watch = null;
      way = polling.describe() + " (" + e.getMessage() + ")";
    }
  }

  private void run() {
    long nextTry = System.nanoTime() + RETRY.toNanos();
    try {
      while (!closed) {
        FolderWatch watching = watch;
        if (watching == null) {
          polling.waitAndLook();
          if (System.nanoTime() - nextTry >= 0) {
            nextTry = System.nanoTime() + RETRY.toNanos();
            startWatching();
          }
        } else if (!watching.waitAndRing(bells, this::ringAll)) {
          watching.close();
          startWatching();
          // Whatever happened between the two watches was seen by neither.
          ringAll();
        }
      }
    } catch (InterruptedException e) {
      // Closed.
    } finally {
      FolderWatch watching = watch;
      if (watching != null) {
        watching.close();
      }
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
