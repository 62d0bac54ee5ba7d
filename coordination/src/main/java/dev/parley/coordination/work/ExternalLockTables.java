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
   * What is wanted, as these lists can express it.
   *
   * @throws dev.parley.core.ParleyException REFUSED if they can't
   */
  LockRequest check(LockRequest wanted);

  /**
   * Asks the ledger while nobody else can decide about its paths. They stand in the lists before
   * that, so that a crash leaves a lock too many and never one too few; and no longer, if the
   * ledger does not grant them.
   */
  Outcome asking(Session session, List<String> paths, Duration ttl, Supplier<Outcome> request);

  /** Asks the ledger to end a lease, then removes it from the tables. */
  Outcome breaking(Lease lease, Supplier<Outcome> request);
}
