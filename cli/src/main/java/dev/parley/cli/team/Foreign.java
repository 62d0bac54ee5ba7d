package dev.parley.cli.team;

import dev.parley.cli.command.Invocation;
import dev.parley.cli.mount.MountedBus;
import dev.parley.coordination.work.LockLists;
import dev.parley.dialects.mount.Mounts;
import dev.parley.filelog.BusFolder;
import org.jspecify.annotations.Nullable;

/** What of other tools' files a command has to ask before it decides anything. */
final class Foreign implements AutoCloseable {
  private final Mounts mounts;
  private final LockLists locks;

  private Foreign(Mounts mounts) {
    this.mounts = mounts;
    this.locks = mounts.locks();
  }

  /** Null on a bus without mounts, which then loads nothing that deals with them. */
  static @Nullable Foreign of(Invocation invocation, BusFolder bus) {
    return MountedBus.is(bus)
        ? new Foreign(new Mounts(bus, invocation.notices(), remark -> {}))
        : null;
  }

  LockLists locks() {
    return locks;
  }

  @Override
  public void close() {
    mounts.close();
  }
}
