package dev.parley.cli.mount;

import dev.parley.cli.command.Invocation;
import dev.parley.core.ParleyException;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.trust.TrustEntry;

/** Tells whether a bus has mounts, without loading anything that deals with them. */
public final class MountedBus {
  private MountedBus() {}

  /** Whether the bus of a command has mounts. */
  public static boolean isFoundBy(Invocation invocation) {
    try {
      return is(invocation.busToLookAt());
    } catch (ParleyException e) {
      return false; // whatever is wrong with the bus, the command itself says
    }
  }

  /** Whether the local user has mounted something on a bus. What its log says does not count. */
  public static boolean is(BusFolder bus) {
    TrustEntry entry = bus.trust();
    return entry != null && !entry.mounts().isEmpty();
  }
}
