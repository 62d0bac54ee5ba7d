package dev.parley.dialects.mount;

import dev.parley.dialects.file.FolderChanges;
import java.time.Duration;

/** Keeps all mounts of a bus up to date until it is closed. Changes of files wake it. */
public final class Bridge implements AutoCloseable {
  /** Everything is looked at this often, even if no change is reported. */
  private static final Duration SWEEP = Duration.ofMillis(500);

  private final Mounts mounts;
  private final FolderChanges changes = new FolderChanges();

  public Bridge(Mounts mounts) {
    this.mounts = mounts;
  }

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
