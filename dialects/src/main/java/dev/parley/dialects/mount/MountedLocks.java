package dev.parley.dialects.mount;

import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.lease.LeaseScope;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.path.PathPattern;
import dev.parley.coordination.work.ExternalLockTables;
import dev.parley.coordination.work.LockRequest;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.dialects.conductor.LockTable;
import dev.parley.dialects.file.Flock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * The lock tables of mounted folders. They know paths, holders and ends, but no patterns, no
 * sharing and no working trees. So a lease that stands in one covers files alone, is exclusive, and
 * holds in every tree.
 */
final class MountedLocks implements ExternalLockTables {
  private final List<LockTable> tables;

  /**
   * @param tables in the fixed order in which every process takes their mutexes
   */
  MountedLocks(List<LockTable> tables) {
    this.tables = List.copyOf(tables);
  }

  @Override
  public LockRequest check(LockRequest wanted) {
    for (String text : wanted.paths()) {
      if (wanted.shared() || PathPattern.of(text).path() == null) {
        throw ParleyException.refused(
            "not-in-locks-json",
            wanted.shared()
                ? "A mounted locks.json cannot hold shared locks."
                : "\""
                    + text
                    + "\" is a folder or pattern, and a mounted locks.json knows only files.",
            "Lock the files one by one: parley lock src/a.ts src/b.ts");
      }
    }
    if (wanted.cover() == LeaseScope.TREE) {
      throw ParleyException.refused(
          "not-in-locks-json",
          "A mounted locks.json cannot hold a lock for one worktree: its locks apply to all"
              + " worktrees.",
          "Lock it in all worktrees: parley lock --repo");
    }
    return wanted.covering(LeaseScope.REPOSITORY);
  }

  @Override
  public Outcome asking(
      Session session, List<String> paths, Duration ttl, Supplier<Outcome> request) {
    List<String> files =
        paths.stream().map(path -> PathPattern.of(path).path()).filter(Objects::nonNull).toList();
    return alone(() -> {
      Map<LockTable, Map<String, Json>> reserved = new LinkedHashMap<>();
      tables.forEach(table -> reserved.put(table, table.reserve(session.name(), files, ttl)));
      // If this fails, the decision is unknown, so the locks stay until they expire.
      Outcome outcome = request.get();
      reserved.forEach((table, locks) -> table.settle(session.name(), locks));
      return outcome;
    });
  }

  @Override
  public Outcome breaking(Lease lease, Supplier<Outcome> request) {
    return alone(() -> {
      Outcome outcome = request.get();
      if (outcome.isAccepted()) {
        tables.forEach(table -> table.remove(lease));
      }
      return outcome;
    });
  }

  /**
   * Decides while holding all mutexes, so that nobody else decides meanwhile and everything others
   * did is known.
   */
  private synchronized Outcome alone(Supplier<Outcome> decision) {
    List<Flock> mutexes = new ArrayList<>();
    try {
      tables.forEach(table -> mutexes.add(table.lock()));
      tables.forEach(LockTable::settle);
      return decision.get();
    } finally {
      mutexes.reversed().forEach(Flock::close);
    }
  }
}
