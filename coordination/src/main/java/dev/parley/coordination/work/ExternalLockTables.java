package dev.parley.coordination.work;

import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.ledger.Session;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * The lock tables of other tools, which must hold a lease before it counts.
 *
 * <p>Safe for use by many threads.
 */
public interface ExternalLockTables {
  /** There are none: the ledger alone decides. */
  ExternalLockTables NONE =
      new ExternalLockTables() {
        @Override
        public LockRequest check(LockRequest wanted) {
          return wanted;
        }

        @Override
        public Outcome asking(
            Session session, List<String> paths, Duration ttl, Supplier<Outcome> request) {
          return request.get();
        }

        @Override
        public Outcome breaking(Lease lease, Supplier<Outcome> request) {
          return request.get();
        }
      };

  /**
   * The request as the tables can express it.
   *
   * @throws dev.parley.core.ParleyException REFUSED if they can't
   */
  LockRequest check(LockRequest wanted);

  /**
   * Asks the ledger while no other program can decide about these paths in the tables. The paths
   * are put into the tables first, so that a crash leaves a lock too many and never one too few.
   * They are removed if the ledger refuses.
   */
  Outcome asking(Session session, List<String> paths, Duration ttl, Supplier<Outcome> request);

  /** Asks the ledger to end a lease, then removes it from the tables. */
  Outcome breaking(Lease lease, Supplier<Outcome> request);
}
