package dev.parley;

import dev.parley.coordination.lease.Grant;
import dev.parley.coordination.work.Locks;
import dev.parley.coordination.work.RefusedException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A lease on paths, held until it is closed or its time is over.
 *
 * <p>After a pause, check {@link #isGood} before you write: a lease may have ended meanwhile. Safe
 * for use by many threads.
 */
public final class HeldLease implements AutoCloseable {
  private final Locks locks;
  private volatile Grant grant;

  HeldLease(Locks locks, Grant grant) {
    this.locks = locks;
    this.grant = grant;
  }

  /** {@return the fencing token of this lease} */
  public long token() {
    return grant.token();
  }

  /** {@return the paths that are held} */
  public List<String> paths() {
    return grant.paths();
  }

  /** {@return when it ends unless it is renewed} */
  public Instant until() {
    return grant.until();
  }

  /**
   * Checks that a path is still held by this lease.
   *
   * @param path a path, relative to the root of the working tree
   * @return false if the lease has ended, or does not cover the path
   */
  public boolean isGood(String path) {
    return locks.isGood(grant.token(), path, "");
  }

  /**
   * Renews the lease: it lasts at least this long from now on.
   *
   * @param time how long
   * @throws RefusedException if it has ended
   */
  public void renew(Duration time) {
    grant = locks.renew(grant.token(), time);
  }

  /** Releases the paths. A lease that has ended already is left alone. */
  @Override
  public void close() {
    try {
      locks.release(grant.token());
    } catch (RefusedException e) {
      // Its time was over, or another agent has broken it.
    }
  }
}
