package dev.parley.coordination.ledger;

import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.path.PathPattern;
import dev.parley.core.ParleyException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The leases that keep a wait for a path going: those that other agents held when the wait began
 * and still hold. They are cached, because many lines ask for the same wait.
 */
final class AwaitedLeases {
  private final Ledger ledger;

  /** The leases by the position at which the wait began. */
  private final Map<Long, List<Lease>> held = new HashMap<>();

  /** How many leases had ended when the cache was last checked. */
  private long heldSince = -1;

  AwaitedLeases(Ledger ledger) {
    this.ledger = ledger;
  }

  /**
   * The same as {@link #leases}, from the cache. The cached list can only shrink, because leases
   * that began later do not count.
   */
  List<Lease> held(String path, String tree, String who, long since) {
    if (since == Long.MAX_VALUE) {
      return leases(
          path, tree, who, since); // a reader that does not wait has no position to cache by
    }
    if (heldSince != ledger.leases().endings()) {
      heldSince = ledger.leases().endings();
      if (held.size() > 2 * (ledger.waits().size() + ledger.tasks().notDone().size()) + 64) {
        held.clear(); // most entries belong to waits that are over
      }
      held.replaceAll((position, leases) -> leases.isEmpty() ? leases : stillThere(leases));
    }
    List<Lease> known = held.get(since);
    if (known == null || known.stream().anyMatch(lease -> !isAsItWas(lease))) {
      known = leases(path, tree, who, since);
      held.put(since, known);
    }
    return known;
  }

  private List<Lease> stillThere(List<Lease> leases) {
    List<Lease> there = new ArrayList<>(leases);
    there.removeIf(lease -> ledger.leases().lease(lease.token()) == null);
    return there;
  }

  private boolean isAsItWas(Lease lease) {
    Lease now = ledger.leases().lease(lease.token());
    return now != null && now.terms().is(lease.terms());
  }

  /**
   * The leases that other agents hold on a path in a tree; in any tree if none is named.
   *
   * @param since a position; leases granted after it are not waited for
   */
  List<Lease> leases(String path, String tree, String who, long since) {
    PathPattern pattern;
    try {
      pattern = PathPattern.of(path);
    } catch (ParleyException e) {
      return List.of();
    }
    return ledger.leases().touching(pattern, tree).stream()
        .filter(lease -> lease.token() < since && !lease.holder().equals(who))
        .toList();
  }
}
