package dev.parley.cli.mount;

import dev.parley.cli.command.Invocation;
import dev.parley.core.ParleyException;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.trust.TrustEntry;

/** Tells whether a bus has mounts, without loading mount code. */
public final class MountedBus {
  private MountedBus() {}

  /** Whether the bus of a command has mounts. */
  public static boolean isFoundBy(Invocation invocation) {
    try {
      return is(invocation.busToLookAt());
    } catch (ParleyException e) {
      return false; // the command itself reports what is wrong with the bus
    }
  }

  /** Whether the local user has mounted something on a bus. The log's descriptions do not count. */
  public static boolean is(BusFolder bus) {
    TrustEntry entry = bus.trust();
    return entry != null && !entry.mounts().isEmpty();
  }
}
