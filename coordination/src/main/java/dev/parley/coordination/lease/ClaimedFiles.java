package dev.parley.coordination.lease;

import dev.parley.coordination.path.PathPattern;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Paths of a lease that live claims of its session need.
 *
 * @param task the first task that needs one of them
 */
public record ClaimedFiles(String task, List<PathPattern> paths) {

  /** Knows which paths live claims need. */
  @FunctionalInterface
  public interface Finder {
    /** Nobody needs anything. */
    Finder NONE = (lease, but, taken) -> null;

    /**
     * What the live claims of a session need of one of its leases, and hold by no other.
     *
     * @param but the task whose claim gives its files up; null if none does
     * @param taken what another tool takes, so that no claim can keep it; null if none does
     */
    @Nullable ClaimedFiles of(Lease lease, @Nullable String but, @Nullable LeaseTerms taken);
  }
}
