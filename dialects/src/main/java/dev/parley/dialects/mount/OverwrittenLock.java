package dev.parley.dialects.mount;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.lease.Leases;
import dev.parley.core.Envelope;
import java.time.Instant;

/**
 * A lock of the bus that another program overwrote in a mounted file, or removed from it.
 *
 * @param place the report's place, as {@code topic@n}
 * @param what what happened, in a sentence
 * @param lasts whether the other program still has the lock, so that two may believe they hold it
 */
public record OverwrittenLock(Mount mount, String place, String what, boolean lasts) {
  static OverwrittenLock of(Mount mount, Envelope told, Leases leases, Instant now) {
    Fields payload = Fields.of(told.payload());
    String path = payload.text("filepath", "");
    String worker = payload.text("worker", "");
    boolean lasts =
        leases.all().stream()
            .filter(lease -> lease.holder().equals(worker) && now.isBefore(lease.until()))
            .anyMatch(lease -> isOf(lease, path));
    return new OverwrittenLock(
        mount, told.position().in(told.topic()), payload.text("message", ""), lasts);
  }

  private static boolean isOf(Lease lease, String path) {
    return lease.paths().stream().anyMatch(held -> path.equals(held.path()));
  }
}
