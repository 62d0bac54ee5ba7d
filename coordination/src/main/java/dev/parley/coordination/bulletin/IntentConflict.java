package dev.parley.coordination.bulletin;

import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.path.PathPattern;
import dev.parley.core.json.Json;
import java.util.ArrayList;
import java.util.List;

/**
 * Another agent that works on the paths of an intent.
 *
 * @param holds whether it holds a lease on them; otherwise it has posted an intent too
 */
public record IntentConflict(String agent, boolean holds, List<PathPattern> paths) {
  /** The other agents that work on the paths of an intent. */
  static List<IntentConflict> of(Notice intent, List<Notice> notices, Ledger ledger) {
    List<IntentConflict> overlaps = new ArrayList<>();
    if (intent.kind() != Notice.Kind.INTENT) {
      return overlaps;
    }
    for (Lease lease : ledger.leases().all()) {
      if (!intent.authors().contains(lease.holder())
          && intent.paths().stream().anyMatch(lease::touches)) {
        overlaps.add(new IntentConflict(lease.holder(), true, lease.paths()));
      }
    }
    for (Notice other : notices) {
      if (other.kind() == Notice.Kind.INTENT
          && !other.authors().equals(intent.authors())
          && meet(intent.paths(), other.paths())) {
        overlaps.add(new IntentConflict(other.authors().getFirst(), false, other.paths()));
      }
    }
    return overlaps;
  }

  private static boolean meet(List<PathPattern> some, List<PathPattern> others) {
    return some.stream().anyMatch(path -> others.stream().anyMatch(path::overlaps));
  }

  public Json toJson() {
    return Json.object()
        .put("agent", agent)
        .put("how", holds ? "holds" : "intends")
        .put("paths", Json.ofStrings(paths.stream().map(PathPattern::toString).toList()))
        .build();
  }

  @Override
  public String toString() {
    return agent
        + (holds ? " holds " : " intends to change ")
        + String.join(" ", paths.stream().map(PathPattern::toString).toList());
  }
}
