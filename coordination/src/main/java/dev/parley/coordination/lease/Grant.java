package dev.parley.coordination.lease;

import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.path.PathPattern;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * Paths that were granted.
 *
 * @param lease the lease that holds them, or the newest of several
 * @param held leases that the session had already for some of the paths
 * @param elsewhere leases of others on the same paths in other working trees
 */
public record Grant(Lease lease, List<Lease> held, List<Lease> elsewhere)
    implements Outcome.Accepted {

  /** The fencing token of the lease. */
  public long token() {
    return lease.token();
  }

  public List<String> paths() {
    return lease.paths().stream().map(PathPattern::toString).toList();
  }

  /**
   * When the first of its leases ends unless it is renewed. Trust this time, not now plus the time
   * asked for.
   */
  public Instant until() {
    Instant until = lease.until();
    for (Lease one : held) {
      until = one.until().isBefore(until) ? one.until() : until;
    }
    return until;
  }

  /** The tokens of all leases that hold the paths asked for. */
  public List<Long> tokens() {
    return Stream.concat(held.stream(), Stream.of(lease)).map(Lease::token).distinct().toList();
  }

  /** Whether the session held all the paths already. */
  public boolean isReentered() {
    return held.contains(lease);
  }

  @Override
  public Json what() {
    Json.ObjectBuilder what =
        Json.object()
            .put("token", token())
            .put("paths", Json.ofStrings(paths()))
            .put("until", Timestamps.format(until()));
    if (!held.isEmpty()) {
      what.put("held", Json.of(held.stream().map(one -> Json.of(one.token())).toList()));
    }
    if (!elsewhere.isEmpty()) {
      what.put(
          "elsewhere",
          Json.of(elsewhere.stream().map(one -> one.describe(one.until()).build()).toList()));
    }
    return what.build();
  }
}
