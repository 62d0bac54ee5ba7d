package dev.parley.dialects.mount;

import dev.parley.dialects.file.FolderChanges;
import java.time.Duration;

/** Keeps all mounts of a bus current until it is closed, woken by changes of files. */
public final class Bridge implements AutoCloseable {
  /** However quiet the watch, everything is looked at this often. */
  private static final Duration SWEEP = Duration.ofMillis(500);

  private final Mounts mounts;
  private final FolderChanges changes = new FolderChanges();

  public Bridge(Mounts mounts) {
    this.mounts = mounts;
  }

  /** Works until it is closed. */
  public void run() throws InterruptedException {
    while (!changes.isClosed()) {
      mounts.folders().forEach(changes::watch);
      mounts.sync();
      changes.await(SWEEP);
    }
  }

  @Override
  public void close() {
    changes.close();
  }
}
