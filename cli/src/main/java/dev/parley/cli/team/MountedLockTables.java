package dev.parley.cli.team;

import dev.parley.cli.command.Invocation;
import dev.parley.cli.command.OpenedBus;
import dev.parley.cli.mount.MountedBus;
import dev.parley.coordination.work.ExternalLockTables;
import dev.parley.dialects.mount.Mounts;
import org.jspecify.annotations.Nullable;

/** The mounted lock tables that a command must consult before it decides about leases. */
final class MountedLockTables {
  private MountedLockTables() {}

  /** Null on a bus without mounts, which then loads no mount code. */
  @SuppressWarnings(
      "resource") // these mounts use a log of the caller, so there is nothing to close
  static @Nullable ExternalLockTables locks(Invocation invocation, OpenedBus bus) {
    return MountedBus.is(bus.folder())
        ? new Mounts(
                bus.folder(), bus.log(), bus.team().ledger(), invocation.notices(), remark -> {})
            .locks()
        : null;
  }
}
