package dev.parley.cli.work;

import dev.parley.WorkingTree;
import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.path.PathPattern;
import dev.parley.coordination.work.Locks;
import dev.parley.core.ParleyException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The caller's leases that a command is about. */
final class OwnLeases {
  private OwnLeases() {}

  /**
   * The leases that the given paths lie in, or all.
   *
   * @throws ParleyException REFUSED if the caller holds none of them
   */
  static List<Lease> of(Locks locks, WorkingTree tree, List<String> typed) {
    List<Lease> own = locks.own();
    if (typed.isEmpty()) {
      if (own.isEmpty()) {
        throw LocksCommand.notLocked(null);
      }
      return own;
    }
    Set<Lease> meant = new LinkedHashSet<>();
    for (String text : tree.patterns(typed)) {
      PathPattern pattern = PathPattern.of(text);
      List<Lease> there =
          own.stream()
              .filter(lease -> lease.terms().repo() || lease.terms().tree().equals(tree.name()))
              .filter(lease -> lease.touches(pattern))
              .toList();
      if (there.isEmpty()) {
        throw ParleyException.refused(
            "not-held", "You do not hold " + text + ".", "List the locks: parley locks");
      }
      meant.addAll(there);
    }
    return List.copyOf(meant);
  }
}
