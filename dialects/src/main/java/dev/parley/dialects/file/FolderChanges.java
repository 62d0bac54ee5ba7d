package dev.parley.dialects.file;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.Watchable;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits until something in some folders may have changed. A change is only a hint: the waiting
 * thread checks for itself, also at intervals.
 *
 * <p>One thread waits; any may add folders or close.
 */
public final class FolderChanges implements AutoCloseable {
  /** The polling interval where the system reports no changes. */
  private static final Duration WITHOUT_WATCH = Duration.ofMillis(100);

  private final @Nullable WatchService service;
  private final Set<Path> watched = ConcurrentHashMap.newKeySet();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile boolean incomplete;

  public FolderChanges() {
    WatchService opened = null;
    try {
      opened = FileSystems.getDefault().newWatchService();
    } catch (IOException | UnsupportedOperationException e) {
      // No watch service: poll.
    }
    this.service = opened;
  }

  public void watch(Path folder) {
    try {
      if (service != null && watched.add(folder)) {
        folder.register(
            service,
            StandardWatchEventKinds.ENTRY_CREATE,
            StandardWatchEventKinds.ENTRY_MODIFY,
            StandardWatchEventKinds.ENTRY_DELETE);
      }
    } catch (IOException | ClosedWatchServiceException e) {
      watched.remove(folder); // may not exist yet
      incomplete = true;
    }
  }

  /** Waits for a change, at most this long. */
  public void await(Duration atMost) throws InterruptedException {
    boolean blind = service == null || incomplete;
    Duration wait = blind && atMost.compareTo(WITHOUT_WATCH) > 0 ? WITHOUT_WATCH : atMost;
    incomplete = false;
    if (service == null) {
      var _ = closed.await(wait.toNanos(), TimeUnit.NANOSECONDS);
      return;
    }
    try {
      WatchKey key = service.poll(wait.toNanos(), TimeUnit.NANOSECONDS);
      while (key != null) {
        var _ = key.pollEvents();
        Watchable gone = key.watchable();
        if (!key.reset()) {
          watched.removeIf(folder -> folder.equals(gone));
        }
        key = service.poll();
      }
    } catch (ClosedWatchServiceException e) {
      // Closed; the waiting thread checks for that.
    }
  }

  /**
   * Repeats a check at every change of some folders until it has a result.
   *
   * @param interval how often to check without a reported change
   * @param look returns the result; null if there is none yet
   * @return null after the timeout
   */
  public static <T> @Nullable T await(
      List<Path> folders, Duration interval, Duration atMost, Supplier<@Nullable T> look)
      throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    try (FolderChanges changes = new FolderChanges()) {
      folders.forEach(changes::watch);
      while (true) {
        T found = look.get();
        Duration left = Duration.ofNanos(end - System.nanoTime());
        if (found != null || !left.isPositive()) {
          return found;
        }
        changes.await(left.compareTo(interval) < 0 ? left : interval);
      }
    }
  }

  public boolean isClosed() {
    return closed.getCount() == 0;
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      if (service != null) {
        service.close();
      }
    } catch (IOException e) {
      // The watch only gave hints.
    }
  }
}
