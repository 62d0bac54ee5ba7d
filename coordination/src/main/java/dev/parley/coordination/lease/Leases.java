package dev.parley.coordination.lease;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.FoldTime;
import dev.parley.coordination.fold.LedgerLimit;
import dev.parley.coordination.fold.LedgerLimits;
import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.fold.StoredTimes;
import dev.parley.coordination.path.ComparisonCost;
import dev.parley.coordination.path.PathPattern;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The leases that are held and the queue of waiters, with the indexes that the rules need: by path,
 * by session, by end. {@link LeaseRules} decides what becomes of them.
 */
public final class Leases {
  // Written out, because comparators that the library composes are in no start-up cache.
  private static final Comparator<Lease> BY_END =
      (one, other) -> {
        int order = one.until().compareTo(other.until());
        return order != 0 ? order : Long.compare(one.token(), other.token());
      };

  private static final Comparator<Lease> BY_TOKEN =
      (one, other) -> Long.compare(one.token(), other.token());

  private final TreeMap<Long, Lease> leases = new TreeMap<>();
  private final LeaseQueue line = new LeaseQueue();
  private final Map<String, TreeMap<Long, Lease>> bySession = new TreeMap<>();
  private final TreeSet<Lease> byEnd = new TreeSet<>(BY_END);
  private final PathIndex index = new PathIndex();
  private final IdentityHashMap<LeaseTerms, Lease> byAsk = new IdentityHashMap<>();

  /** How often a lease has ended or become smaller. */
  private long endings;

  /**
   * Tells when a lease ends unless it is renewed. The end of a lease of a claim is the claim's end.
   */
  private Function<Lease, Instant> ends = Lease::until;

  private ClaimedFiles.Finder claimedFiles = ClaimedFiles.Finder.NONE;

  /** A fold of no envelopes: there is no lease. */
  public Leases() {}

  /**
   * All leases in the order in which they were granted, each with the time at which it ends unless
   * it is renewed.
   */
  public List<Lease> all() {
    List<Lease> all = new ArrayList<>(leases.size());
    for (Lease lease : leases.values()) {
      all.add(shown(lease));
    }
    return all;
  }

  Lease shown(Lease lease) {
    return lease.ofClaim() ? lease.until(ends.apply(lease)) : lease;
  }

  /** When a lease ends unless it is renewed. */
  Instant endOf(Lease lease) {
    return ends.apply(lease);
  }

  int size() {
    return leases.size();
  }

  /** Whether a session holds anything. */
  boolean hasAny(String session) {
    return bySession.containsKey(session);
  }

  LeaseQueue line() {
    return line;
  }

  /** Sets the function that knows the end of leases that last as long as a claim. */
  public void endAsSaidBy(Function<Lease, Instant> when) {
    ends = when;
  }

  /** Sets the finder of paths that outlast their lease, because claims need them. */
  public void keepFor(ClaimedFiles.Finder claims) {
    claimedFiles = claims;
  }

  /** All waiters, in their order. */
  public Collection<Waiter> waiters() {
    return line.all();
  }

  /** How often a lease has ended or become smaller. While this number stays, all leases stay. */
  public long endings() {
    return endings;
  }

  /** The waiters of one agent, in their order. */
  public Collection<Waiter> waitersOf(String name) {
    return line.ofName(name);
  }

  public @Nullable Lease lease(long token) {
    return leases.get(token);
  }

  public @Nullable Waiter waiter(long request) {
    return line.find(request);
  }

  public List<Lease> of(String session) {
    TreeMap<Long, Lease> own = bySession.get(session);
    return own == null ? List.of() : List.copyOf(own.values());
  }

  /**
   * The leases that a pattern overlaps, in a tree or meant in every tree; in any tree if the tree
   * is empty.
   */
  public List<Lease> touching(PathPattern pattern, String tree) {
    return near(
        List.of(pattern),
        lease ->
            (tree.isEmpty() || lease.terms().repo() || lease.terms().tree().equals(tree))
                && lease.terms().touches(pattern));
  }

  /** The refusal of a pattern that takes too long to compare; null if it does not. */
  public @Nullable Outcome tooComplex(PathPattern pattern, LedgerLimits bounds) {
    return tooComplex(List.of(pattern), ComparisonCost.of(List.of(pattern)), bounds);
  }

  @Nullable Outcome tooComplex(
      List<PathPattern> paths, ComparisonCost weight, LedgerLimits bounds) {
    Outcome refused = bounds.refusal(LedgerLimit.PATTERNS, weight.wild());
    return refused != null || !bounds.areInForce()
        ? refused
        : bounds.refusal(LedgerLimit.COMPARED, steps(paths, weight));
  }

  /** Whether a token is still the token of a lease on a path. */
  public boolean isGood(long token, String path, String tree) {
    Lease lease = leases.get(token);
    return lease != null
        && (lease.terms().repo() || lease.terms().tree().equals(tree))
        && lease.paths().stream().anyMatch(held -> held.describes(path));
  }

  /** The leases that block a waiter; none if it has an offer. */
  public List<Lease> holdersBefore(Waiter waiter) {
    List<Lease> holders = new ArrayList<>();
    boolean inOrder = true;
    if (!waiter.isOffered()) {
      for (LeaseTerms terms : inTheWay(waiter)) {
        Lease lease = byAsk.get(terms);
        if (lease != null) {
          inOrder &= holders.isEmpty() || holders.getLast().token() < lease.token();
          holders.add(lease);
        }
      }
    }
    if (!inOrder) {
      holders.sort(BY_TOKEN); // a lease may have waited longer than one granted before it
    }
    return holders;
  }

  /** The earlier waiters that block a waiter, in their order; none if it has an offer. */
  public List<Waiter> waitersBefore(Waiter waiter) {
    List<Waiter> before = new ArrayList<>();
    if (!waiter.isOffered()) {
      for (LeaseTerms terms : inTheWay(waiter)) {
        Waiter earlier = line.of(terms);
        if (earlier != null) {
          before.add(earlier);
        }
      }
    }
    return before;
  }

  /** What blocks a waiter, or blocked it until lately: leases, then earlier waiters. */
  private List<LeaseTerms> inTheWay(Waiter waiter) {
    LeaseTerms[] known = line.inTheWay(waiter.position());
    if (known != null) {
      return Arrays.asList(known);
    }
    List<LeaseTerms> asks =
        asks(conflicts(waiter.terms()), line.conflicts(waiter.terms(), waiter.position()));
    line.remember(waiter.position(), asks);
    return asks;
  }

  static List<LeaseTerms> asks(List<Lease> holders, List<Waiter> before) {
    List<LeaseTerms> asks = new ArrayList<>(holders.size() + before.size());
    holders.forEach(lease -> asks.add(lease.terms()));
    before.forEach(waiter -> asks.add(waiter.terms()));
    return asks;
  }

  /**
   * Ends leases, waits and offers whose time is over, then makes offers. The waiter that the
   * envelope accepts for is spared: accepting still counts on the line that reaches the end of the
   * offer.
   */
  public void pass(FoldTime time, long spared) {
    if (!line.isEmpty()) {
      line.over(time, spared).forEach(this::drop);
    }
    while (!byEnd.isEmpty() && time.isAtOrAfter(byEnd.first().until())) {
      Lease over = byEnd.first();
      Lease left = left(over);
      if (left == null || time.isAtOrAfter(left.until())) {
        endForGood(over);
      } else {
        replace(over, left);
      }
    }
    Instant now = time.now();
    if (now != null) {
      for (Waiter waiter : line.opened()) {
        LeaseTerms nearest = nearestInTheWay(waiter);
        if (nearest == null) {
          line.put(waiter.offered(StoredTimes.later(now, waiter.offerTime())));
        } else {
          line.watch(waiter.position(), nearest);
        }
      }
    }
  }

  /** The blocker that is likely to stay longest; null if the waiter is free. */
  private @Nullable LeaseTerms nearestInTheWay(Waiter waiter) {
    List<LeaseTerms> asks = inTheWay(waiter);
    for (int i = asks.size() - 1; i >= 0; i--) {
      LeaseTerms terms = asks.get(i);
      if (byAsk.containsKey(terms) || line.of(terms) != null) {
        if (i < asks.size() / 2) {
          line.remember(waiter.position(), List.copyOf(asks.subList(0, i + 1)));
        }
        return terms;
      }
    }
    return null;
  }

  /** The first time at which a lease ends or a waiter gives up unless an envelope prevents it. */
  public @Nullable Instant firstEnd() {
    Instant waiter = line.firstEnd();
    Instant lease = byEnd.isEmpty() ? null : byEnd.first().until();
    return lease == null || (waiter != null && waiter.isBefore(lease)) ? waiter : lease;
  }

  /** The most steps that comparing paths with all leases near them and all waiters can take. */
  private long steps(List<PathPattern> paths, ComparisonCost weight) {
    long[] steps = {0};
    index.near(paths, lease -> steps[0] += weight.times(lease.terms().weight()));
    for (Waiter waiter : line.all()) {
      steps[0] += weight.times(waiter.terms().weight());
    }
    return steps[0];
  }

  /** Ends the lease or the wait that a line has made; false if there is none. */
  public boolean undo(long position) {
    Lease lease = leases.get(position);
    Waiter waiter = line.find(position);
    if (lease != null) {
      end(lease);
    }
    if (waiter != null) {
      drop(waiter);
    }
    return lease != null || waiter != null;
  }

  /** Ends all leases and waits of a session. */
  public void endSession(String session) {
    of(session).forEach(this::endForGood);
    line.ofSession(session).forEach(this::drop);
  }

  /** Ends the leases that a session holds for a task whose claim is over. */
  public void endTask(String session, String task) {
    for (Lease lease : of(session)) {
      if (lease.kept() || Objects.equals(lease.terms().task(), task)) {
        end(lease);
      }
    }
  }

  /** What is left of a lease that ends, because claims need it; null if nothing is. */
  private @Nullable Lease left(Lease lease) {
    ClaimedFiles files = claimedFiles.of(lease, null, null);
    return files == null ? null : lease.keptFor(files);
  }

  /** What live claims of the session need of a lease, and hold by no other. */
  @Nullable ClaimedFiles claimed(Lease lease, @Nullable String but, @Nullable LeaseTerms taken) {
    return claimedFiles.of(lease, but, taken);
  }

  /** Whether a session holds a path on certain terms by a lease other than this one. */
  public boolean isHeldBeside(Lease lease, LeaseTerms terms, PathPattern path) {
    return !near(
            List.of(path), one -> one.token() != lease.token() && one.terms().suffices(terms, path))
        .isEmpty();
  }

  List<Lease> conflicts(LeaseTerms terms) {
    return isAlone(terms)
        ? List.of()
        : near(terms.paths(), lease -> lease.terms().conflicts(terms));
  }

  /** Whether no other session holds a lease. */
  boolean isAlone(LeaseTerms terms) {
    Map<Long, Lease> own = bySession.get(terms.session());
    return leases.size() == (own == null ? 0 : own.size());
  }

  List<Lease> near(List<PathPattern> paths, Predicate<Lease> wanted) {
    TreeMap<Long, Lease> found = new TreeMap<>();
    index.near(
        paths,
        lease -> {
          if (!found.containsKey(lease.token()) && wanted.test(lease)) {
            found.put(lease.token(), lease);
          }
        });
    return List.copyOf(found.values());
  }

  void put(Lease lease) {
    leases.put(lease.token(), lease);
    bySession
        .computeIfAbsent(lease.terms().session(), session -> new TreeMap<>())
        .put(lease.token(), lease);
    byEnd.add(lease);
    byAsk.put(lease.terms(), lease);
    index.add(lease);
  }

  /** Ends a lease, but for the paths that live claims of its session need. */
  private void end(Lease lease) {
    Lease left = left(lease);
    if (left == null) {
      endForGood(lease);
    } else if (!left.terms().hasPathsAndTaskOf(lease.terms()) || !lease.kept()) {
      replace(lease, left);
    }
  }

  void endForGood(Lease lease) {
    remove(lease);
    endings++;
    line.gone(lease.terms());
  }

  private void remove(Lease lease) {
    leases.remove(lease.token());
    String session = lease.terms().session();
    Map<Long, Lease> own = bySession.get(session);
    if (own != null) {
      own.remove(lease.token());
      if (own.isEmpty()) {
        bySession.remove(session);
      }
    }
    byEnd.remove(lease);
    byAsk.remove(lease.terms());
    index.remove(lease);
  }

  void replace(Lease before, Lease after) {
    remove(before);
    put(after);
    if (!before.terms().is(after.terms())) {
      endings++;
      line.changed(before.terms());
    }
  }

  void drop(Waiter waiter) {
    line.remove(waiter);
    line.gone(waiter.terms());
  }

  /** Keeps every remaining duration when the time goes back. */
  public void moveBack(Duration by) {
    List.copyOf(leases.values()).forEach(lease -> replace(lease, lease.movedBack(by)));
    line.moveBack(by);
  }

  public Json save() {
    return Json.object()
        .put("leases", Json.of(leases.values().stream().map(Lease::save).toList()))
        .put("waiters", Json.of(line.all().stream().map(Waiter::save).toList()))
        .build();
  }

  public static Leases load(Fields saved) {
    Leases leases = new Leases();
    saved.items("leases").forEach(item -> leases.put(Lease.load(Fields.of(item))));
    for (Json item : saved.items("waiters")) {
      leases.line.put(Waiter.load(Fields.of(item)));
    }
    leases.line.loaded();
    return leases;
  }
}
