package dev.parley.dialects.testing;

import dev.parley.core.Reporter;
import dev.parley.dialects.mount.Bridge;
import dev.parley.dialects.mount.Mounts;
import dev.parley.filelog.BusFolder;

/** A bridge that runs beside a test until it is closed. */
public final class RunningBridge implements AutoCloseable {
  private final Mounts mounts;
  private final Bridge bridge;
  private final Thread thread;

  public RunningBridge(BusFolder place) {
    this.mounts = new Mounts(place, Reporter.TO_LOG, remark -> {});
    this.bridge = new Bridge(mounts);
    this.thread = Thread.ofPlatform().start(this::work);
  }

  private void work() {
    try {
      bridge.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    bridge.close();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    mounts.close();
  }
}
