package dev.parley.filelog.watch;

import dev.parley.core.Doorbell;
import dev.parley.core.Prefix;
import dev.parley.core.Topic;
import dev.parley.core.bus.LocalDoorbell;
import java.time.Duration;
import java.util.Set;

/**
 * Wakes a reader: directly for appends of this process, by the folder watch for those of others.
 */
final class FileDoorbell implements Doorbell {
  private final LocalDoorbell bell;
  private final Prefix prefix;
  private final FolderWatcher watcher;

  FileDoorbell(LocalDoorbell bell, Prefix prefix, FolderWatcher watcher) {
    this.bell = bell;
    this.prefix = prefix;
    this.watcher = watcher;
  }

  Prefix prefix() {
    return prefix;
  }

  @Override
  public Set<Topic> await(Duration atMost) throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    while (watcher.take(this)) {
      try {
        // While this reader owns the watch, only appends of this process ring the bell, and the
        // watch reports those, too.
        Set<Topic> rung = bell.await(Duration.ZERO);
        long left = end - System.nanoTime();
        if (!rung.isEmpty() || left <= 0) {
          return rung;
        }
        watcher.watch(left);
      } finally {
        watcher.ownership().release();
      }
    }
    return bell.await(Duration.ofNanos(end - System.nanoTime()));
  }

  @Override
  public void close() {
    bell.close();
    watcher.remove(this);
  }
}
