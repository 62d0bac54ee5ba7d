package dev.parley.cli.mount;

import dev.parley.cli.command.Invocation;
import dev.parley.cli.command.OpenedBus;
import dev.parley.cli.terminal.Notices;
import dev.parley.core.ParleyException;
import dev.parley.dialects.mount.Bridge;
import dev.parley.dialects.mount.Mounts;
import dev.parley.text.Explanation;

/**
 * Runs a command on a bus with mounts. New content of their files is pulled before the command, and
 * its results are pushed after it. Meanwhile the mounts are kept up to date, for commands that
 * wait.
 */
public final class MountSync implements AutoCloseable {
  private final Mounts mounts;
  private final Bridge bridge;
  private final Notices notices;
  private final Thread thread;

  private MountSync(Mounts mounts, Notices notices) {
    this.mounts = mounts;
    this.notices = notices;
    this.bridge = new Bridge(mounts);
    this.thread = Thread.ofPlatform().daemon().name("bridge").unstarted(this::work);
  }

  public static MountSync begin(Invocation invocation) throws InterruptedException {
    OpenedBus bus = invocation.openedBus();
    MountSync sync =
        new MountSync(
            new Mounts(
                bus.folder(),
                bus.log(),
                bus.team().ledger(),
                invocation.notices(),
                RemarkNotices.to(invocation.notices())),
            invocation.notices());
    sync.mounts.sync();
    sync.thread.start();
    return sync;
  }

  private void work() {
    try {
      bridge.run();
    } catch (InterruptedException e) {
      // The command is over.
    } catch (ParleyException e) {
      notices.say(
          Explanation.messageOf(e)); // the bus is gone; the command itself reports what that means
    }
  }

  @Override
  public void close() {
    bridge.close();
    boolean interrupted = Thread.interrupted();
    try {
      thread.join();
      mounts.sync();
    } catch (InterruptedException e) {
      interrupted = true;
    } finally {
      mounts.close();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
