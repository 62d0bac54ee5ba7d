package dev.parley.json;

import dev.parley.coordination.lease.Grant;
import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.lease.LeaseTerms;
import dev.parley.coordination.lease.Waiter;
import dev.parley.coordination.path.PathPattern;
import dev.parley.core.json.Json;

/** Leases, waiting requests and answers to requests as JSON. */
public final class LeaseJson {
  private LeaseJson() {}

  public static Json of(Lease lease, LedgerTimes times) {
    return fields(lease.terms())
        .put("state", "held")
        .put("token", lease.token())
        .put("since", times.written(lease.since()))
        .put("until", times.written(lease.until()))
        .build();
  }

  /** A request that waits in the queue. */
  public static Json of(Waiter waiter, LedgerTimes times) {
    return fields(waiter.terms())
        .put("state", waiter.isOffered() ? "offered" : "waiting")
        .put("request", waiter.position())
        .put("until", times.written(waiter.end()))
        .build();
  }

  private static Json.ObjectBuilder fields(LeaseTerms terms) {
    return Json.object()
        .put("paths", Json.ofStrings(terms.paths().stream().map(PathPattern::toString).toList()))
        .put("holder", terms.name())
        .put("shared", terms.shared())
        .put("tree", terms.tree())
        .put("repo", terms.repo())
        .put("task", terms.task());
  }

  /** The leases that a request was granted. */
  public static Json of(Grant grant, LedgerTimes times) {
    Json.ObjectBuilder json =
        Json.object()
            .put("granted", true)
            .put("paths", Json.ofStrings(grant.paths()))
            .put("token", grant.token())
            .put("until", times.written(grant.until()));
    if (grant.isReentered()) {
      json.put("reentered", true);
    }
    if (!grant.held().isEmpty()) {
      json.put("held", Json.of(grant.held().stream().map(held -> Json.of(held.token())).toList()));
    }
    if (!grant.elsewhere().isEmpty()) {
      json.put("elsewhere", Json.ofStrings(grant.elsewhere().stream().map(Lease::holder).toList()));
    }
    return json.build();
  }
}
