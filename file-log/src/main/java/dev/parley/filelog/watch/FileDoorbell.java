package dev.parley.filelog.watch;

import dev.parley.core.Doorbell;
import dev.parley.core.Prefix;
import dev.parley.core.Topic;
import dev.parley.core.bus.LocalDoorbell;
import java.time.Duration;
import java.util.Set;

/** A bell for the appends of this process, and a place at the lookout for those of others. */
final class FileDoorbell implements Doorbell {
  private final LocalDoorbell bell;
  private final Prefix prefix;
  private final FolderWatcher lookout;

  FileDoorbell(LocalDoorbell bell, Prefix prefix, FolderWatcher lookout) {
    this.bell = bell;
    this.prefix = prefix;
    this.lookout = lookout;
  }

  Prefix prefix() {
    return prefix;
  }

  @Override
  public Set<Topic> await(Duration atMost) throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    while (lookout.sit(this)) {
      try {
        // Now nobody rings but who appends in this process, of which the watch knows too.
        Set<Topic> rung = bell.await(Duration.ZERO);
        long left = end - System.nanoTime();
        if (!rung.isEmpty() || left <= 0) {
          return rung;
        }
        lookout.watch(left);
      } finally {
        lookout.seat().rise();
      }
    }
    return bell.await(Duration.ofNanos(end - System.nanoTime()));
  }

  @Override
  public void close() {
    bell.close();
    lookout.remove(this);
  }
}
