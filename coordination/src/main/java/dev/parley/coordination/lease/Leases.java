package dev.parley.coordination.lease;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.FoldTime;
import dev.parley.coordination.fold.LedgerLimit;
import dev.parley.coordination.fold.LedgerLimits;
import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.fold.Request;
import dev.parley.coordination.fold.StoredTimes;
import dev.parley.coordination.path.ComparisonCost;
import dev.parley.coordination.path.PathPattern;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
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
 * Who holds which paths, and who waits for them.
 *
 * <p>Two conflict if they are of different sessions, overlap, at least one is exclusive, and they
 * are in the same working tree or one of them is meant in all. A waiter is free if it conflicts
 * with no lease and with no earlier waiter, offered or not.
 *
 * <pre>
 * envelope        condition                                     effect
 * --------------  --------------------------------------------  ----------------------------------
 * any             a waiter's offer is over                      it is dropped, and must ask again
 *                 a waiter without an offer is past its         it is dropped
 *                   deadline
 *                 a lease is past its end                       it ends
 *                 a waiter is free                              it is made an offer
 * lease.request   the session holds all of it already           the lease it has
 *                 the rest is free                              a lease; its position is the token
 *                 not free, and no wait is asked for            refused, naming who is in the way
 *                 too much of something that is bound           refused: too-many, too-complex
 *                 waiting would close a cycle                   refused, naming the cycle
 *                 else                                          waits in line
 * lease.accept    it is the session's own, and offered          a lease; its position is the token
 *                 else                                          refused
 * lease.renew     the session holds the token                   lasts at least its time from now on
 *                 else                                          refused
 * lease.release   the session holds the token                   ends, or loses the paths named
 *                 else                                          refused
 * lease.cancel    the session's own request waits               it is dropped
 *                 else                                          refused
 * lease.break     somebody holds the token, a reason is given   it ends
 *                 else                                          refused
 * lease.report    paths that can be held                        a lease on them; whoever held one
 *                                                                 loses it, whoever was offered
 *                                                                 one is dropped
 *                 else                                          refused
 * leave, join     the session has ended                         its leases and waits end
 *   by another
 * task.claim,     the session holds something for the task      it lasts as long as the claim
 *   task.next     others hold or wait for what it does not      the claim is refused
 *   (rules 3)       hold of the task's files
 *                 else                                          a lease on the rest, as long as the
 *                                                                 claim; the token is the claim's
 * task ended      leases of its owner for the task              they end
 * </pre>
 *
 * Nothing is ever put back into the line, so only requests can close a cycle.
 */
public final class Leases {
  // Comparators are written out: those that the library puts together are in no start-up cache.
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

  /** When a lease ends unless something is said; of one that is a claim's, the claim knows. */
  private Function<Lease, Instant> ends = Lease::until;

  /** All that are held, in the order in which they were granted, with when each ends by itself. */
  public List<Lease> all() {
    List<Lease> all = new ArrayList<>(leases.size());
    for (Lease lease : leases.values()) {
      all.add(shown(lease));
    }
    return all;
  }

  private Lease shown(Lease lease) {
    return lease.ofClaim() ? lease.until(ends.apply(lease)) : lease;
  }

  /** Asks somebody else when leases end that last as long as a claim. */
  public void endAsSaidBy(Function<Lease, Instant> when) {
    ends = when;
  }

  /** All that wait, in their order. */
  public Collection<Waiter> waiters() {
    return line.all();
  }

  /** How often a lease has ended or become smaller: as long as that stays, so do all of them. */
  public long endings() {
    return endings;
  }

  /** Those that wait under a name, in their order. */
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

  /** The leases in a tree, or meant in every tree, that a pattern overlaps; in any, if empty. */
  public List<Lease> touching(PathPattern pattern, String tree) {
    return near(
        List.of(pattern),
        lease ->
            (tree.isEmpty() || lease.terms().repo() || lease.terms().tree().equals(tree))
                && lease.terms().touches(pattern));
  }

  /** The refusal of whoever wants to know what touches a pattern; null if it can be found out. */
  public @Nullable Outcome tooComplex(PathPattern pattern, LedgerLimits bounds) {
    return tooComplex(List.of(pattern), ComparisonCost.of(List.of(pattern)), bounds);
  }

  private @Nullable Outcome tooComplex(
      List<PathPattern> paths, ComparisonCost weight, LedgerLimits bounds) {
    Outcome refused = bounds.refusal(LedgerLimit.PATTERNS, weight.wild());
    return refused != null || !bounds.areInForce()
        ? refused
        : bounds.refusal(LedgerLimit.COMPARED, steps(paths, weight));
  }

  /** Whether a token still stands for a path. */
  public boolean isGood(long token, String path, String tree) {
    Lease lease = leases.get(token);
    return lease != null
        && (lease.terms().repo() || lease.terms().tree().equals(tree))
        && lease.paths().stream().anyMatch(held -> held.describes(path));
  }

  /** Who keeps a waiter from its turn: holders and those before it; nobody if it has an offer. */
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
      holders.sort(BY_TOKEN); // some waited before they held it
    }
    return holders;
  }

  /** Those before a waiter in line that keep it from its turn, in their order. */
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

  /** What is or was in the way of a waiter: holders, then those before it. */
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

  private static List<LeaseTerms> asks(List<Lease> holders, List<Waiter> before) {
    List<LeaseTerms> asks = new ArrayList<>(holders.size() + before.size());
    holders.forEach(lease -> asks.add(lease.terms()));
    before.forEach(waiter -> asks.add(waiter.terms()));
    return asks;
  }

  /** Ends what is over, but for the waiter that the envelope accepts for; then makes offers. */
  public void pass(FoldTime time, long spared) {
    if (!line.isEmpty()) {
      line.over(time, spared).forEach(this::drop);
    }
    while (!byEnd.isEmpty() && time.isAtOrAfter(byEnd.first().until())) {
      end(byEnd.first());
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

  /** Of what is in the way of a waiter what is likely to stay longest; null if it is free. */
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

  /**
   * Grants, refuses or puts in line.
   *
   * @param otherwise where it is meant if it does not say
   * @param bounds how much there may be
   * @param cycle finds the cycle that would close if the one who asks waited for these agents; null
   *     if none would
   */
  public Outcome request(
      Request request,
      Cover otherwise,
      LedgerLimits bounds,
      Function<List<String>, @Nullable List<String>> cycle) {
    LeaseTerms terms = LeaseTerms.of(request, otherwise);
    if (terms == null) {
      return badPaths();
    }
    Outcome tooComplex = tooComplex(terms.paths(), terms.weight(), bounds);
    if (tooComplex != null) {
      return tooComplex;
    }
    List<PathPattern> rest = new ArrayList<>(terms.paths());
    List<Lease> held = takeOutHeld(terms, rest);
    if (rest.isEmpty()) {
      return granted(held.getLast(), held);
    }
    Outcome full = bounds.refusal(LedgerLimit.LEASES, leases.size() + 1L);
    if (full != null) {
      return full;
    }
    LeaseTerms wanted = rest.size() == terms.paths().size() ? terms : terms.of(List.copyOf(rest));
    List<Lease> holders = conflicts(wanted);
    List<Waiter> before = line.conflicts(wanted, Long.MAX_VALUE);
    if (holders.isEmpty() && before.isEmpty()) {
      return granted(grant(request.position(), wanted, request.now()), held);
    }
    if (request.payload().number("wait", 0) <= 0) {
      return holders.isEmpty() ? refused(before.getFirst()) : refused(holders.getFirst());
    }
    Outcome refused = bounds.refusal(LedgerLimit.WAITERS, line.size() + 1L);
    if (refused != null) {
      return refused;
    }
    List<String> toward = new ArrayList<>();
    holders.forEach(lease -> toward.add(lease.holder()));
    before.forEach(waiter -> toward.add(waiter.terms().name()));
    List<String> closed = cycle.apply(toward);
    if (closed != null) {
      return wouldDeadlock(closed);
    }
    Duration wait = request.seconds("wait", Duration.ZERO, Duration.ofSeconds(1), Waiter.MOST_WAIT);
    Duration offer = request.seconds("offer", Waiter.OFFER, Waiter.LEAST_OFFER, Waiter.MOST_OFFER);
    Waiter waiter =
        new Waiter(request.position(), wanted, StoredTimes.later(request.now(), wait), offer, null);
    line.put(waiter);
    line.remember(waiter.position(), asks(holders, before));
    line.watch(
        waiter.position(), before.isEmpty() ? holders.getLast().terms() : before.getLast().terms());
    return Outcome.accepted(
        Json.object().put("waiting", waiter.position()).put("for", Json.ofStrings(toward)));
  }

  /** Takes out of some paths what their session holds already; by which leases it does. */
  private List<Lease> takeOutHeld(LeaseTerms terms, List<PathPattern> rest) {
    List<Lease> held = new ArrayList<>();
    if (bySession.containsKey(terms.session())) {
      for (Lease lease :
          near(terms.paths(), one -> one.terms().session().equals(terms.session()))) {
        if (terms.paths().stream().anyMatch(path -> lease.terms().suffices(terms, path))) {
          held.add(lease);
          rest.removeIf(path -> lease.terms().suffices(terms, path));
        }
      }
    }
    return held;
  }

  /** The refusal of a claim that needs these paths at once; null if it can have them. */
  public @Nullable Outcome refusalOfClaim(LeaseTerms terms, LedgerLimits bounds) {
    Outcome tooComplex = tooComplex(terms.paths(), terms.weight(), bounds);
    if (tooComplex != null) {
      return tooComplex;
    }
    List<PathPattern> rest = new ArrayList<>(terms.paths());
    var _ = takeOutHeld(terms, rest);
    if (rest.isEmpty()) {
      return null;
    }
    Outcome full = bounds.refusal(LedgerLimit.LEASES, leases.size() + 1L);
    if (full != null) {
      return full;
    }
    LeaseTerms wanted = rest.size() == terms.paths().size() ? terms : terms.of(List.copyOf(rest));
    List<Lease> holders = conflicts(wanted);
    if (!holders.isEmpty()) {
      return refused(holders.getFirst());
    }
    List<Waiter> before = line.conflicts(wanted, Long.MAX_VALUE);
    return before.isEmpty() ? null : refused(before.getFirst());
  }

  /** Lets what a session holds for a task last as long as its claim, which begins now. */
  public void keepForClaim(String session, String task, Instant now) {
    for (Lease lease : of(session)) {
      if (task.equals(lease.terms().task())) {
        replace(lease, lease.lastingAsTheClaim(now));
      }
    }
  }

  /** Takes what a claim needs, which nobody is in the way of, for as long as it lasts. */
  public void takeForClaim(long position, LeaseTerms terms, Instant now) {
    List<PathPattern> rest = new ArrayList<>(terms.paths());
    var _ = takeOutHeld(terms, rest);
    if (!rest.isEmpty()) {
      LeaseTerms wanted = rest.size() == terms.paths().size() ? terms : terms.of(List.copyOf(rest));
      put(Lease.of(position, wanted, now).lastingAsTheClaim(now));
    }
  }

  /** The first time at which a lease ends or a waiter gives up unless something is said. */
  public @Nullable Instant firstEnd() {
    Instant waiter = line.firstEnd();
    Instant lease = byEnd.isEmpty() ? null : byEnd.first().until();
    return lease == null || (waiter != null && waiter.isBefore(lease)) ? waiter : lease;
  }

  /** How many steps comparing paths with all that they must be compared with takes at most. */
  private long steps(List<PathPattern> paths, ComparisonCost weight) {
    long[] steps = {0};
    index.near(paths, lease -> steps[0] += weight.times(lease.terms().weight()));
    for (Waiter waiter : line.all()) {
      steps[0] += weight.times(waiter.terms().weight());
    }
    return steps[0];
  }

  private static Outcome badPaths() {
    return Outcome.refused("bad-paths", Json.object().put("most", LeaseTerms.MOST_PATHS));
  }

  /** What whoever closes a cycle is told, whatever it wanted to wait for. */
  public static Outcome wouldDeadlock(List<String> cycle) {
    return Outcome.refused("would-deadlock", Json.object().put("cycle", Json.ofStrings(cycle)));
  }

  public Outcome accept(Request request) {
    Waiter waiter = line.find(request.payload().number("request", 0));
    if (waiter == null || !isOwn(waiter, request) || !waiter.isOffered()) {
      return Outcome.refused("not-offered");
    }
    drop(waiter);
    return granted(grant(request.position(), waiter.terms(), request.now()), List.of());
  }

  public Outcome renew(Request request) {
    Lease lease = own(request, request.payload().number("token", 0));
    if (lease == null) {
      return notHeld();
    }
    Duration ttl =
        request.seconds("ttl", lease.terms().ttl(), LeaseTerms.LEAST_TTL, LeaseTerms.MOST_TTL);
    Instant until = StoredTimes.later(request.now(), ttl);
    Lease renewed = until.isAfter(lease.until()) ? lease.until(until) : lease;
    replace(lease, renewed);
    return granted(renewed, List.of());
  }

  public Outcome release(Request request) {
    Lease lease = own(request, request.payload().number("token", 0));
    if (lease == null) {
      return notHeld();
    }
    List<String> only = request.payload().texts("paths");
    List<PathPattern> rest = new ArrayList<>(lease.paths());
    rest.removeIf(path -> only.isEmpty() || only.contains(path.toString()));
    if (rest.isEmpty()) {
      end(lease);
      return new Released(lease.token(), lease.paths());
    }
    replace(lease, lease.of(List.copyOf(rest)));
    return new Released(
        lease.token(), lease.paths().stream().filter(path -> !rest.contains(path)).toList());
  }

  public Outcome cancel(Request request) {
    Waiter waiter = line.find(request.payload().number("request", 0));
    if (waiter == null || !isOwn(waiter, request)) {
      return Outcome.refused("not-waiting");
    }
    drop(waiter);
    return Outcome.accepted(Json.object().put("cancelled", waiter.position()));
  }

  public Outcome breakOff(Request request) {
    Lease lease = leases.get(request.payload().number("token", 0));
    if (lease == null) {
      return notHeld();
    }
    if (request.payload().text("reason", "").isBlank()) {
      return Outcome.refused("no-reason", Json.object().put("what", "lease"));
    }
    end(lease);
    return Outcome.accepted(
        Json.object()
            .put("broken", lease.token())
            .put("holder", lease.holder())
            .put("paths", PathPattern.texts(lease.paths())));
  }

  /** Takes note of what another tool has decided, whoever held the paths before. */
  public Outcome report(Request request, LedgerLimits bounds) {
    LeaseTerms terms = LeaseTerms.of(request, Cover.TREE);
    if (terms == null) {
      return badPaths();
    }
    Outcome refused = tooComplex(terms.paths(), terms.weight(), bounds);
    refused = refused == null ? bounds.refusal(LedgerLimit.LEASES, leases.size() + 1L) : refused;
    if (refused != null) {
      return refused;
    }
    List<Lease> before = near(terms.paths(), lease -> lease.terms().givesWay(terms));
    for (Lease lease : before) {
      List<PathPattern> rest = lease.paths().stream().filter(path -> !terms.touches(path)).toList();
      if (rest.isEmpty()) {
        end(lease);
      } else {
        replace(lease, lease.of(rest));
      }
    }
    for (Waiter waiter : line.conflicts(terms, Long.MAX_VALUE)) {
      if (waiter.isOffered()) {
        drop(waiter);
      } else {
        line.cameInTheWay(waiter.position());
      }
    }
    return granted(grant(request.position(), terms, request.now()), List.of());
  }

  private static Outcome notHeld() {
    return Outcome.refused("not-held", Json.object().put("what", "lease"));
  }

  private @Nullable Lease own(Request request, long token) {
    Lease lease = leases.get(token);
    return lease != null && lease.terms().session().equals(request.session()) ? lease : null;
  }

  private static boolean isOwn(Waiter waiter, Request request) {
    return waiter.terms().session().equals(request.session());
  }

  private Lease grant(long position, LeaseTerms terms, Instant now) {
    Lease lease = Lease.of(position, terms, now);
    put(lease);
    return lease;
  }

  private Outcome granted(Lease lease, List<Lease> held) {
    LeaseTerms terms = lease.terms();
    List<Lease> elsewhere =
        isAlone(terms) ? List.of() : near(terms.paths(), other -> other.terms().isNear(terms));
    return new Grant(shown(lease), held.stream().map(this::shown).toList(), elsewhere);
  }

  private Outcome refused(Lease lease) {
    return Outcome.refused("held", lease.describe(ends.apply(lease)));
  }

  private static Outcome refused(Waiter waiter) {
    return Outcome.refused(
        "held",
        Json.object()
            .put("holder", waiter.terms().name())
            .put("paths", PathPattern.texts(waiter.terms().paths()))
            .put("waiting", true)
            .put("until", Timestamps.format(waiter.end())));
  }

  /** Ends the lease or the wait that a line has made; whether there is one. */
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

  /** Ends everything of a session. */
  public void endSession(String session) {
    of(session).forEach(this::end);
    line.ofSession(session).forEach(this::drop);
  }

  /** Ends what a session holds for a task. */
  public List<Long> endTask(String session, String task) {
    List<Lease> ended =
        of(session).stream().filter(lease -> Objects.equals(lease.terms().task(), task)).toList();
    ended.forEach(this::end);
    return ended.stream().map(Lease::token).toList();
  }

  private List<Lease> conflicts(LeaseTerms terms) {
    return isAlone(terms)
        ? List.of()
        : near(terms.paths(), lease -> lease.terms().conflicts(terms));
  }

  /** Whether nobody but the one who asks holds anything. */
  private boolean isAlone(LeaseTerms terms) {
    Map<Long, Lease> own = bySession.get(terms.session());
    return leases.size() == (own == null ? 0 : own.size());
  }

  private List<Lease> near(List<PathPattern> paths, Predicate<Lease> wanted) {
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

  private void put(Lease lease) {
    leases.put(lease.token(), lease);
    bySession
        .computeIfAbsent(lease.terms().session(), session -> new TreeMap<>())
        .put(lease.token(), lease);
    byEnd.add(lease);
    byAsk.put(lease.terms(), lease);
    index.add(lease);
  }

  private void end(Lease lease) {
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

  private void replace(Lease before, Lease after) {
    remove(before);
    put(after);
    if (!before.terms().is(after.terms())) {
      endings++;
      line.changed(before.terms());
    }
  }

  private void drop(Waiter waiter) {
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
