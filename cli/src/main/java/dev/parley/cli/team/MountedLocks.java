package dev.parley.cli.team;

import dev.parley.cli.command.Invocation;
import dev.parley.cli.command.OpenedBus;
import dev.parley.cli.mount.MountedBus;
import dev.parley.coordination.work.ExternalLockTables;
import dev.parley.dialects.mount.Mounts;
import org.jspecify.annotations.Nullable;

/** What of other tools' files a command has to ask before it decides anything. */
final class MountedLocks {
  private MountedLocks() {}

  /** Null on a bus without mounts, which then loads nothing that deals with them. */
  @SuppressWarnings("resource") // there is nothing to close in mounts on a log that is not theirs
  static @Nullable ExternalLockTables locks(Invocation invocation, OpenedBus bus) {
    return MountedBus.is(bus.folder())
        ? new Mounts(
                bus.folder(), bus.log(), bus.team().ledger(), invocation.notices(), remark -> {})
            .locks()
        : null;
  }
}
