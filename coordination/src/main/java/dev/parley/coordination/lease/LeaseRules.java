package dev.parley.coordination.lease;

import dev.parley.coordination.fold.LedgerLimit;
import dev.parley.coordination.fold.LedgerLimits;
import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.fold.Request;
import dev.parley.coordination.fold.StoredTimes;
import dev.parley.coordination.path.PathPattern;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides requests about leases.
 *
 * <p>Two leases or requests conflict if they belong to different sessions, overlap, at least one is
 * exclusive, and they are in the same working tree or one of them covers all working trees. A
 * waiter is free if it conflicts with no lease and with no earlier waiter, offered or not.
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
 * a lease would   live claims of its session name paths of it   it goes on with these, as long as
 *   end, but for    as files of their tasks, and no other         the claims: same token, the
 *   a break, the    lease of the session covers them              first task that names one
 *   end of its      (rules 4)
 *   session; a
 *   claim does
 *   not keep
 *   what is
 *   released of
 *   the lease
 *   that it took
 * </pre>
 *
 * Nothing is ever put back into the line, so only requests can close a cycle.
 */
public final class LeaseRules {
  private final Leases leases;

  /** For the rules of a ledger on its leases. */
  public LeaseRules(Leases leases) {
    this.leases = leases;
  }

  /**
   * Grants a request, refuses it, or puts it into the queue.
   *
   * @param otherwise the cover of a request that does not name one
   * @param bounds the limits of the ledger
   * @param cycle finds the cycle that would close if the requester waited for these agents; null if
   *     none would
   */
  public Outcome request(
      Request request,
      LeaseScope otherwise,
      LedgerLimits bounds,
      Function<List<String>, @Nullable List<String>> cycle) {
    LeaseTerms terms = LeaseTerms.of(request, otherwise);
    if (terms == null) {
      return badPaths();
    }
    Outcome tooComplex = leases.tooComplex(terms.paths(), terms.weight(), bounds);
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
    List<Lease> holders = leases.conflicts(wanted);
    List<Waiter> before = leases.line().conflicts(wanted, Long.MAX_VALUE);
    if (holders.isEmpty() && before.isEmpty()) {
      return granted(grant(request.position(), wanted, request.now()), held);
    }
    if (request.payload().number("wait", 0) <= 0) {
      return holders.isEmpty() ? refused(before.getFirst()) : refused(holders.getFirst());
    }
    Outcome refused = bounds.refusal(LedgerLimit.WAITERS, leases.line().size() + 1L);
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
    leases.line().put(waiter);
    leases.line().remember(waiter.position(), Leases.asks(holders, before));
    leases
        .line()
        .watch(
            waiter.position(),
            before.isEmpty() ? holders.getLast().terms() : before.getLast().terms());
    return new QueuedRequest(waiter.position(), List.copyOf(toward));
  }

  /**
   * Removes from {@code rest} the paths that the session holds already; returns the leases that
   * hold them.
   */
  private List<Lease> takeOutHeld(LeaseTerms terms, List<PathPattern> rest) {
    List<Lease> held = new ArrayList<>();
    if (leases.hasAny(terms.session())) {
      for (Lease lease :
          leases.near(terms.paths(), one -> one.terms().session().equals(terms.session()))) {
        if (terms.paths().stream().anyMatch(path -> lease.terms().suffices(terms, path))) {
          held.add(lease);
          rest.removeIf(path -> lease.terms().suffices(terms, path));
        }
      }
    }
    return held;
  }

  /** The refusal of a claim that needs these paths now; null if it can have them. */
  public @Nullable Outcome refusalOfClaim(LeaseTerms terms, LedgerLimits bounds) {
    Outcome tooComplex = leases.tooComplex(terms.paths(), terms.weight(), bounds);
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
    List<Lease> holders = leases.conflicts(wanted);
    if (!holders.isEmpty()) {
      return refused(holders.getFirst());
    }
    List<Waiter> before = leases.line().conflicts(wanted, Long.MAX_VALUE);
    return before.isEmpty() ? null : refused(before.getFirst());
  }

  /**
   * Makes the leases that a session holds for a task last as long as its claim, which begins now.
   */
  public void keepForClaim(String session, String task, Instant now) {
    for (Lease lease : leases.of(session)) {
      if (task.equals(lease.terms().task())) {
        leases.replace(lease, lease.lastingAsTheClaim(now));
      }
    }
  }

  /**
   * Leases the paths of a claim for as long as the claim lasts. The caller has checked that they
   * are free.
   */
  public void takeForClaim(long position, LeaseTerms terms, Instant now) {
    List<PathPattern> rest = new ArrayList<>(terms.paths());
    var _ = takeOutHeld(terms, rest);
    if (!rest.isEmpty()) {
      LeaseTerms wanted = rest.size() == terms.paths().size() ? terms : terms.of(List.copyOf(rest));
      leases.put(Lease.of(position, wanted, now).lastingAsTheClaim(now));
    }
  }

  private static Outcome badPaths() {
    return Outcome.refused("bad-paths", Json.object().put("most", LeaseTerms.MOST_PATHS));
  }

  /** The refusal of a wait that would close a cycle. */
  public static Outcome wouldDeadlock(List<String> cycle) {
    return Outcome.refused("would-deadlock", Json.object().put("cycle", Json.ofStrings(cycle)));
  }

  public Outcome accept(Request request) {
    Waiter waiter = leases.line().find(request.payload().number("request", 0));
    if (waiter == null || !isOwn(waiter, request) || !waiter.isOffered()) {
      return Outcome.refused("not-offered");
    }
    leases.drop(waiter);
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
    leases.replace(lease, renewed);
    return granted(renewed, List.of());
  }

  public Outcome release(Request request) {
    Lease lease = own(request, request.payload().number("token", 0));
    if (lease == null) {
      return notHeld();
    }
    List<String> only = request.payload().texts("paths");
    List<PathPattern> released =
        lease.paths().stream()
            .filter(path -> only.isEmpty() || only.contains(path.toString()))
            .toList();
    String givenUp = lease.ofClaim() && !lease.kept() ? lease.terms().task() : null;
    return new Released(lease.token(), released, takeAway(lease, released, givenUp, null));
  }

  /**
   * Takes paths from a lease, but for those that live claims need.
   *
   * @param but the task whose claim gives its files up; null if none does
   * @param taken what another tool takes, so that no claim can keep it; null if none does
   * @return what claims keep; null if it is nothing
   */
  private @Nullable ClaimedFiles takeAway(
      Lease lease, List<PathPattern> gone, @Nullable String but, @Nullable LeaseTerms taken) {
    List<PathPattern> rest = new ArrayList<>(lease.paths());
    rest.removeAll(gone);
    ClaimedFiles kept =
        gone.isEmpty() ? null : leases.claimed(rest.isEmpty() ? lease : lease.of(gone), but, taken);
    if (kept != null && !rest.isEmpty()) {
      kept.paths().stream().filter(path -> !isIn(rest, path)).forEach(rest::add);
    }
    if (!rest.isEmpty()) {
      leases.replace(lease, lease.of(List.copyOf(rest)));
    } else if (kept != null) {
      leases.replace(lease, lease.keptFor(kept));
    } else {
      leases.endForGood(lease);
    }
    return kept;
  }

  private static boolean isIn(List<PathPattern> paths, PathPattern path) {
    return paths.stream().anyMatch(one -> one.includes(path));
  }

  public Outcome cancel(Request request) {
    Waiter waiter = leases.line().find(request.payload().number("request", 0));
    if (waiter == null || !isOwn(waiter, request)) {
      return Outcome.refused("not-waiting");
    }
    leases.drop(waiter);
    return Outcome.accepted(Json.object().put("cancelled", waiter.position()));
  }

  public Outcome breakOff(Request request) {
    Lease lease = leases.lease(request.payload().number("token", 0));
    if (lease == null) {
      return notHeld();
    }
    if (request.payload().text("reason", "").isBlank()) {
      return Outcome.refused("no-reason", Json.object().put("what", "lease"));
    }
    leases.endForGood(lease);
    return new BrokenLease(lease.token(), lease.holder(), lease.paths());
  }

  /**
   * Records a lease that another tool has granted. Leases on the same paths end or become smaller.
   */
  public Outcome report(Request request, LedgerLimits bounds) {
    LeaseTerms terms = LeaseTerms.of(request, LeaseScope.TREE);
    if (terms == null) {
      return badPaths();
    }
    Outcome refused = leases.tooComplex(terms.paths(), terms.weight(), bounds);
    refused = refused == null ? bounds.refusal(LedgerLimit.LEASES, leases.size() + 1L) : refused;
    if (refused != null) {
      return refused;
    }
    List<Lease> before = leases.near(terms.paths(), lease -> lease.terms().givesWay(terms));
    for (Lease lease : before) {
      takeAway(lease, lease.paths().stream().filter(terms::touches).toList(), null, terms);
    }
    for (Waiter waiter : leases.line().conflicts(terms, Long.MAX_VALUE)) {
      if (waiter.isOffered()) {
        leases.drop(waiter);
      } else {
        leases.line().cameInTheWay(waiter.position());
      }
    }
    return granted(grant(request.position(), terms, request.now()), List.of());
  }

  private static Outcome notHeld() {
    return Outcome.refused("not-held", Json.object().put("what", "lease"));
  }

  private @Nullable Lease own(Request request, long token) {
    Lease lease = leases.lease(token);
    return lease != null && lease.terms().session().equals(request.session()) ? lease : null;
  }

  private static boolean isOwn(Waiter waiter, Request request) {
    return waiter.terms().session().equals(request.session());
  }

  private Lease grant(long position, LeaseTerms terms, Instant now) {
    Lease lease = Lease.of(position, terms, now);
    leases.put(lease);
    return lease;
  }

  private Outcome granted(Lease lease, List<Lease> held) {
    LeaseTerms terms = lease.terms();
    List<Lease> elsewhere =
        leases.isAlone(terms)
            ? List.of()
            : leases.near(terms.paths(), other -> other.terms().isNear(terms));
    return new Grant(leases.shown(lease), held.stream().map(leases::shown).toList(), elsewhere);
  }

  private Outcome refused(Lease lease) {
    return Outcome.refused("held", lease.describe(leases.endOf(lease)));
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
}
