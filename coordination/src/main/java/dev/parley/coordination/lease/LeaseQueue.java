package dev.parley.coordination.lease;

import dev.parley.coordination.fold.FoldTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The lease requests that wait, in the order in which they were made.
 *
 * <p>Deciding who is next must not compare every waiter with every lease on each line. So the queue
 * remembers what blocks each waiter: the terms of the leases and earlier waiters that conflict with
 * it. That set only shrinks; only a lease that another tool reports can add to it. Each waiter
 * watches one of its blockers and is checked again only when that one is gone.
 *
 * <p>Blockers are compared by identity: a waiter that accepts its offer and the lease it gets share
 * one {@link LeaseTerms}. None of this is saved. A program that loads a view finds it again, and
 * comes to the same decisions.
 */
final class LeaseQueue {
  /**
   * The most blockers remembered for all waiters together; beyond that they are searched for again.
   */
  private static final int MOST_REMEMBERED = 4_000_000;

  private static final Comparator<Waiter> BY_END =
      (one, other) -> {
        int order = one.end().compareTo(other.end());
        return order != 0 ? order : Long.compare(one.position(), other.position());
      };

  private final TreeMap<Long, Waiter> waiters = new TreeMap<>();
  private final TreeSet<Waiter> byEnd = new TreeSet<>(BY_END);
  private final Map<String, SortedMap<Long, Waiter>> bySession = new HashMap<>();
  private final Map<String, SortedMap<Long, Waiter>> byName = new HashMap<>();
  private final IdentityHashMap<LeaseTerms, Waiter> byAsk = new IdentityHashMap<>();

  private final Map<Long, LeaseTerms[]> inTheWay = new HashMap<>();
  private int remembered;

  /**
   * The waiters that watch each blocker. A waiter that is missing here has not been checked yet.
   */
  private final IdentityHashMap<LeaseTerms, List<Long>> watchers = new IdentityHashMap<>();

  private final TreeSet<Long> open = new TreeSet<>();

  /** Whether the queue was loaded from a view, so that no waiter watches a blocker yet. */
  private boolean unwatched;

  Collection<Waiter> all() {
    return Collections.unmodifiableCollection(waiters.values());
  }

  int size() {
    return waiters.size();
  }

  boolean isEmpty() {
    return waiters.isEmpty();
  }

  @Nullable Waiter find(long position) {
    return waiters.get(position);
  }

  @Nullable Waiter of(LeaseTerms terms) {
    return byAsk.get(terms);
  }

  List<Waiter> ofSession(String session) {
    SortedMap<Long, Waiter> own = bySession.get(session);
    return own == null ? List.of() : List.copyOf(own.values());
  }

  Collection<Waiter> ofName(String name) {
    SortedMap<Long, Waiter> own = byName.get(name);
    return own == null ? List.of() : Collections.unmodifiableCollection(own.values());
  }

  /** The waiters before a position that conflict with a request, in their order. */
  List<Waiter> conflicts(LeaseTerms terms, long before) {
    List<Waiter> found = new ArrayList<>();
    for (Waiter waiter : waiters.headMap(before).values()) {
      if (waiter.terms().conflicts(terms)) {
        found.add(waiter);
      }
    }
    return found;
  }

  /** The waiters whose deadline or offer has passed, but for the one at {@code spared}. */
  List<Waiter> over(FoldTime time, long spared) {
    List<Waiter> over = new ArrayList<>();
    for (Waiter waiter : byEnd) {
      if (!time.isAtOrAfter(waiter.end())) {
        break;
      }
      if (waiter.position() != spared) {
        over.add(waiter);
      }
    }
    return over;
  }

  /** When the first waiter gives up or loses its offer; null if nobody waits. */
  @Nullable Instant firstEnd() {
    return byEnd.isEmpty() ? null : byEnd.first().end();
  }

  void put(Waiter waiter) {
    Waiter before = waiters.put(waiter.position(), waiter);
    if (before != null) {
      byEnd.remove(before);
    }
    byEnd.add(waiter);
    byAsk.put(waiter.terms(), waiter);
    add(bySession, waiter.terms().session(), waiter);
    add(byName, waiter.terms().name(), waiter);
  }

  void remove(Waiter waiter) {
    waiters.remove(waiter.position());
    byEnd.remove(waiter);
    byAsk.remove(waiter.terms());
    remove(bySession, waiter.terms().session(), waiter);
    remove(byName, waiter.terms().name(), waiter);
    open.remove(waiter.position());
    forget(waiter.position());
  }

  private static void add(Map<String, SortedMap<Long, Waiter>> map, String key, Waiter waiter) {
    map.computeIfAbsent(key, none -> new TreeMap<>()).put(waiter.position(), waiter);
  }

  private static void remove(Map<String, SortedMap<Long, Waiter>> map, String key, Waiter waiter) {
    SortedMap<Long, Waiter> own = map.get(key);
    if (own != null) {
      own.remove(waiter.position());
      if (own.isEmpty()) {
        map.remove(key);
      }
    }
  }

  /** The remembered blockers of a waiter, which may be gone by now; null if none are remembered. */
  LeaseTerms @Nullable [] inTheWay(long position) {
    return inTheWay.get(position);
  }

  /** Remembers the blockers of a waiter, unless too many are remembered already. */
  void remember(long position, List<LeaseTerms> asks) {
    forget(position);
    if (remembered + asks.size() <= MOST_REMEMBERED) {
      inTheWay.put(position, asks.toArray(LeaseTerms[]::new));
      remembered += asks.size();
    }
  }

  private void forget(long position) {
    LeaseTerms[] known = inTheWay.remove(position);
    remembered -= known == null ? 0 : known.length;
  }

  /** Forgets the blockers of a waiter, because a new lease may conflict with it. */
  void cameInTheWay(long position) {
    forget(position);
  }

  /** Notes that a lease covers fewer paths now, or is gone: its waiters must be compared anew. */
  void changed(LeaseTerms terms) {
    for (Waiter waiter : waiters.values()) {
      LeaseTerms[] known = inTheWay.get(waiter.position());
      for (int i = 0; known != null && i < known.length; i++) {
        if (known[i].is(terms)) {
          forget(waiter.position());
          break;
        }
      }
    }
    gone(terms);
  }

  /** Notes that a lease or a waiter is gone. The waiters that watched it must be checked again. */
  void gone(LeaseTerms terms) {
    if (unwatched) {
      unwatched = false;
      for (Waiter waiter : waiters.values()) {
        if (!waiter.isOffered()) {
          open.add(waiter.position());
        }
      }
    }
    List<Long> freed = watchers.remove(terms);
    if (freed != null) {
      open.addAll(freed);
    }
  }

  void watch(long position, LeaseTerms terms) {
    watchers.computeIfAbsent(terms, none -> new ArrayList<>()).add(position);
  }

  /** Takes the waiters that may be free now, in their order. The caller must check each of them. */
  List<Waiter> opened() {
    if (open.isEmpty()) {
      return List.of();
    }
    List<Waiter> opened = new ArrayList<>();
    for (long position : open) {
      Waiter waiter = waiters.get(position);
      if (waiter != null && !waiter.isOffered()) {
        opened.add(waiter);
      }
    }
    open.clear();
    return opened;
  }

  void moveBack(Duration by) {
    for (Waiter waiter : List.copyOf(waiters.values())) {
      put(waiter.movedBack(by));
    }
  }

  /** Notes that all waiters were loaded from a view, so that none watches a blocker yet. */
  void loaded() {
    unwatched = true;
  }
}
