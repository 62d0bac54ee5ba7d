package dev.parley.dialects.conductor;

import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.path.PathPattern;
import dev.parley.core.time.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The differences between {@code locks.json} and the ledger, and what to do about each. Every lock
 * that we write is noted. An entry of ours whose lease is over counts as absent.
 *
 * <pre>
 * in the file          in the ledger          noted      difference and action
 * -------------------  ---------------------  ---------  -----------------------------------------
 * a worker's           nothing, or another's             taken: the worker gets it; its former
 *                                                          holder is notified
 * a worker's           the worker's, with an             longer: the lease is renewed
 *                        earlier end
 * nothing, or expired  a foreign worker's                freed: the lease ends
 * nothing, or expired  ours                   yes        lost: written again, its holder
 *                                                       is notified
 * nothing, or expired  ours                   no, or     missing: written
 *                                               announced
 * the holder's         ours                   otherwise  missing: written as it is
 * anything             nothing, or foreign    yes        ended: ours and the note are removed
 * </pre>
 *
 * @param ended paths
 */
record LockDifferences(
    List<LockEntry> taken,
    List<Held> longer,
    List<Held> freed,
    List<Held> lost,
    List<Held> missing,
    Set<String> ended) {

  /** A note about a lock that we wrote has this prefix, followed by the path. */
  static final String NOTE = "lock:";

  /** Two readings of two clocks may differ by this much although nothing changed. */
  private static final Duration SAME = Duration.ofMillis(500);

  /** Clock differences and rounding stay below this. */
  private static final Duration SLACK = Duration.ofSeconds(2);

  /** A leased path, and the end that the file has or shall get for it. */
  record Held(String path, Lease lease, Instant until) {
    /** The note once the lock is in the file. */
    String note() {
      return lease.token() + " " + acquired();
    }

    /** The note before that: the lock may be in the file. */
    String announcement() {
      return lease.token() + "? " + acquired();
    }

    String acquired() {
      return Timestamps.format(lease.since());
    }
  }

  /**
   * Compares the file with the ledger.
   *
   * @param notes the locks we wrote, by path: token and acquisition time
   * @param isForeign whether a lease belongs to one of the files' own workers
   */
  static LockDifferences of(
      Map<String, LockEntry> file,
      Collection<Lease> leases,
      Map<String, String> notes,
      Predicate<Lease> isForeign,
      Instant now) {
    LockDifferences found =
        new LockDifferences(
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new LinkedHashSet<>());
    Map<String, Lease> held = held(leases, now);
    Map<String, LockEntry> standing = new LinkedHashMap<>();
    file.forEach((path, entry) -> {
      if (entry.isLive(now) && !isLeftOver(entry, held.get(path), notes.get(path))) {
        standing.put(path, entry);
      }
    });
    standing.forEach((path, entry) -> found.compare(entry, held.get(path)));
    held.forEach((path, lease) ->
        found.compare(
            new Held(path, lease, lease.until()),
            standing.get(path),
            notes.get(path),
            isForeign.test(lease)));
    notes.keySet().stream()
        .filter(path -> !held.containsKey(path) || isForeign.test(held.get(path)))
        .forEach(found.ended::add);
    return found;
  }

  private void compare(LockEntry entry, @Nullable Lease lease) {
    if (lease == null || !lease.holder().equals(entry.worker())) {
      taken.add(entry);
    } else if (entry.expires() != null && entry.expires().isAfter(lease.until().plus(SLACK))) {
      longer.add(new Held(entry.path(), lease, entry.expires()));
    }
  }

  private void compare(
      Held held, @Nullable LockEntry entry, @Nullable String note, boolean isForeign) {
    boolean noted = held.note().equals(note);
    if (entry == null) {
      (isForeign ? freed : noted ? lost : missing).add(held);
    } else if (entry.worker().equals(held.lease.holder()) && !isForeign) {
      boolean asWritten =
          noted
              && entry.acquired().equals(held.acquired())
              && entry.expires() != null
              && Duration.between(held.until, entry.expires()).abs().compareTo(SAME) < 0;
      if (!asWritten) {
        missing.add(held);
      }
    }
  }

  /** Whether an entry is one that we wrote. */
  static boolean isNoted(LockEntry entry, @Nullable String note) {
    return note != null && !entry.acquired().isEmpty() && note.endsWith(" " + entry.acquired());
  }

  private static boolean isLeftOver(LockEntry entry, @Nullable Lease lease, @Nullable String note) {
    return note != null && isNoted(entry, note) && (lease == null || !isOf(note, lease));
  }

  private static boolean isOf(String note, Lease lease) {
    return note.startsWith(lease.token() + " ") || note.startsWith(lease.token() + "? ");
  }

  /** The leases that the file can express, by path. */
  private static Map<String, Lease> held(Collection<Lease> leases, Instant now) {
    Map<String, Lease> held = new LinkedHashMap<>();
    for (Lease lease : leases) {
      for (PathPattern pattern : lease.paths()) {
        String path = pattern.path();
        if (path != null && !lease.terms().shared() && now.isBefore(lease.until())) {
          held.put(path, lease);
        }
      }
    }
    return held;
  }

  boolean isNone() {
    return taken.isEmpty()
        && longer.isEmpty()
        && freed.isEmpty()
        && lost.isEmpty()
        && missing.isEmpty()
        && ended.isEmpty();
  }
}
