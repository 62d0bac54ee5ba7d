package dev.parley.coordination.work;

import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.lease.Grant;
import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.lease.LeaseTerms;
import dev.parley.coordination.lease.LeaseTypes;
import dev.parley.coordination.lease.Leases;
import dev.parley.coordination.lease.QueuedRequest;
import dev.parley.coordination.lease.Waiter;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.LedgerOwner;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.path.PathPattern;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes and releases leases on paths for a session.
 *
 * <p>A lease keeps away other agents that ask. Nothing can keep a program from writing to its disk.
 * After a pause, check {@link #isGood} before you write.
 *
 * <p>Safe for use by many threads.
 */
public final class Locks {
  private final Session session;
  private final LedgerOwner owner;
  private final ExternalLockTables tables;

  public Locks(Session session, LedgerOwner owner, ExternalLockTables tables) {
    this.session = session;
    this.owner = owner;
    this.tables = tables;
  }

  /**
   * Takes all the paths at once, or none. Leases that the session holds already are renewed, so
   * that all of them last at least as long as was asked for.
   *
   * @throws RefusedException if another agent holds or waits for one of the paths
   */
  public Grant lock(LockRequest wanted) {
    LockRequest fit = fit(wanted);
    return lasting(grant(ask(fit, LeaseTypes.REQUEST, fit.write())), fit.ttl());
  }

  /**
   * Lets other tools' tables check a request with its cover filled in: some know no working trees,
   * and must refuse one that covers only one tree.
   */
  private LockRequest fit(LockRequest wanted) {
    return tables.equals(ExternalLockTables.NONE)
        ? wanted
        : tables.check(
            wanted.cover() == null ? wanted.covering(owner.look(Ledger::cover)) : wanted);
  }

  private Grant lasting(Grant granted, Duration ttl) {
    if (granted.held().isEmpty()) {
      return granted;
    }
    Lease newest = granted.lease();
    List<Lease> held = new ArrayList<>();
    for (Lease lease : granted.held()) {
      Lease renewed = renew(lease.token(), ttl).lease();
      held.add(renewed);
      newest = renewed.token() == newest.token() ? renewed : newest;
    }
    return new Grant(newest, held, granted.elsewhere());
  }

  private static Grant grant(Outcome outcome) {
    return (Grant) RefusedException.check(outcome);
  }

  private Outcome ask(LockRequest wanted, String type, Json.ObjectBuilder payload) {
    return tables.asking(
        session, wanted.paths(), wanted.ttl(), () -> owner.ask(session, type, payload));
  }

  /**
   * Takes paths, waiting in the queue if need be.
   *
   * @throws RefusedException if waiting would close a cycle, or the time is over ({@code
   *     timed-out})
   */
  public Grant lock(LockRequest wanted, Duration wait) throws InterruptedException {
    return wait.isZero()
        ? lock(wanted)
        : Objects.requireNonNull(lockWhile(wanted, wait, ledger -> true));
  }

  /**
   * The same, but gives up once the paths are of no use any more.
   *
   * @param use whether they still are; asked whenever the ledger changes
   * @return null if it gave up
   */
  @Nullable Grant lockWhile(LockRequest wanted, Duration wait, Predicate<Ledger> use)
      throws InterruptedException {
    Duration most = LockRequest.check("wait", wait, Duration.ofSeconds(1), Waiter.MOST_WAIT);
    long end = System.nanoTime() + most.toNanos();
    LockRequest fit = fit(wanted);
    while (true) {
      Duration left = Duration.ofNanos(end - System.nanoTime());
      // The ledger drops the request one second after this process gives up. Normally this
      // process cancels it first; the margin is for a ledger whose time is ahead.
      Json.ObjectBuilder request = fit.write().put("wait", Math.max(1, left.toSeconds()) + 1);
      Outcome.Accepted accepted = RefusedException.check(ask(fit, LeaseTypes.REQUEST, request));
      if (accepted instanceof Grant granted) {
        return lasting(granted, fit.ttl());
      }
      QueuedRequest queued = (QueuedRequest) accepted;
      Grant grant = inLine(fit, queued.position(), left, use);
      if (grant != null) {
        return grant;
      }
      if (!owner.look(use::test)) {
        return null;
      }
      if (end - System.nanoTime() <= 0) {
        throw timedOut(queued.behind());
      }
      // An offer lapsed because this process was too slow. Others go first now; ask again.
    }
  }

  private static RefusedException timedOut(List<String> inTheWay) {
    return new RefusedException(
        new Outcome.Refused(
            "timed-out",
            Json.object()
                .put("holder", inTheWay.isEmpty() ? null : inTheWay.getFirst())
                .put("inTheWay", Json.ofStrings(inTheWay))
                .build()));
  }

  /** Waits for an offer and takes it; null if none came, or it lapsed. */
  private @Nullable Grant inLine(
      LockRequest wanted, long request, Duration atMost, Predicate<Ledger> use)
      throws InterruptedException {
    boolean waiting = true;
    try {
      Turn turn = owner.await(session, atMost, new InLine(request, use));
      if (turn == Turn.OFFERED) {
        Outcome outcome = ask(wanted, LeaseTypes.ACCEPT, named(request));
        waiting = false;
        return outcome.isAccepted() ? grant(outcome) : null;
      }
      waiting = turn != Turn.GONE;
      return null;
    } finally {
      if (waiting) {
        var _ = owner.ask(session, LeaseTypes.CANCEL, named(request));
      }
    }
  }

  private static Json.ObjectBuilder named(long request) {
    return Json.object().put("request", request);
  }

  /** What has become of a request in the queue. */
  enum Turn {
    OFFERED,
    /** The ledger dropped it. */
    GONE,
    /** The paths are of no use any more. */
    USELESS
  }

  /** A request in the queue. */
  record InLine(long request, Predicate<Ledger> use) implements LedgerOwner.Awaited<Turn> {
    InLine(long request) {
      this(request, ledger -> true);
    }

    @Override
    public @Nullable Turn answer(Ledger ledger) {
      if (!use.test(ledger)) {
        return Turn.USELESS;
      }
      Waiter waiter = ledger.leases().waiter(request);
      return waiter == null ? Turn.GONE : waiter.isOffered() ? Turn.OFFERED : null;
    }

    /**
     * The first end of any lease or wait before this one, direct or not. A dead holder writes
     * nothing, so this thread must move the ledger's time itself.
     */
    @Override
    public @Nullable Instant next(Ledger ledger) {
      Leases leases = ledger.leases();
      Waiter own = leases.waiter(request);
      Deque<Waiter> open = new ArrayDeque<>();
      Set<Long> been = new HashSet<>();
      Instant first = null;
      for (Waiter next = own; next != null; next = open.poll()) {
        for (Lease lease : leases.holdersBefore(next)) {
          first = earlier(first, ledger.endOf(lease));
        }
        for (Waiter before : leases.waitersBefore(next)) {
          if (been.add(before.position())) {
            first = earlier(first, before.end());
            open.add(before);
          }
        }
      }
      return first;
    }

    private static Instant earlier(@Nullable Instant one, Instant other) {
      return one == null || other.isBefore(one) ? other : one;
    }
  }

  /**
   * Renews a lease: it lasts at least this long from now on.
   *
   * @param ttl how long; null for the original duration
   * @throws RefusedException if it is not held any more
   */
  public Grant renew(long token, @Nullable Duration ttl) {
    Json.ObjectBuilder payload = Json.object().put("token", token);
    if (ttl != null) {
      payload.put(
          "ttl",
          LockRequest.check("ttl", ttl, LeaseTerms.LEAST_TTL, LeaseTerms.MOST_TTL).toSeconds());
    }
    LeaseTerms held = null;
    for (Lease lease : own()) {
      held = lease.token() == token ? lease.terms() : held;
    }
    List<String> paths =
        held == null ? List.of() : held.paths().stream().map(PathPattern::toString).toList();
    Duration time = ttl != null ? ttl : held != null ? held.ttl() : LeaseTerms.TTL;
    return grant(
        tables.asking(session, paths, time, () -> owner.ask(session, LeaseTypes.RENEW, payload)));
  }

  /**
   * Releases a lease, or only some of its paths.
   *
   * @throws RefusedException if it is not held any more
   */
  public void release(long token, Collection<String> paths) {
    Json.ObjectBuilder payload = Json.object().put("token", token);
    if (!paths.isEmpty()) {
      payload.put("paths", Json.ofStrings(List.copyOf(paths)));
    }
    var _ = RefusedException.check(owner.ask(session, LeaseTypes.RELEASE, payload));
  }

  public void release(long token) {
    release(token, List.of());
  }

  /** Releases everything that the session holds; returns the leases that it held. */
  public List<Lease> releaseAll() {
    List<Lease> own = own();
    for (Lease lease : own) {
      try {
        release(lease.token());
      } catch (RefusedException e) {
        // It has ended meanwhile, which is what the caller wants.
      }
    }
    return own;
  }

  /** The leases that the session holds. */
  public List<Lease> own() {
    return owner.look(ledger ->
        ledger.leases().of(session.id()).stream()
            .map(lease -> lease.endingAt(ledger.endOf(lease)))
            .toList());
  }

  /**
   * Ends the lease of any agent.
   *
   * @throws RefusedException if there is no such lease, or no reason is given
   */
  public void breakOff(long token, String reason) {
    Json.ObjectBuilder payload = Json.object().put("token", token).put("reason", reason);
    Lease lease = null;
    for (Lease each : owner.look(ledger -> List.copyOf(ledger.leases().all()))) {
      lease = each.token() == token ? each : lease;
    }
    Supplier<Outcome> request = () -> owner.ask(session, LeaseTypes.BREAK, payload);
    var _ = RefusedException.check(lease == null ? request.get() : tables.breaking(lease, request));
  }

  /**
   * Whether a token is still the token of a lease on a path. A lease whose time is over does not
   * count, even if no line has ended it yet.
   */
  public boolean isGood(long token, String path, String tree) {
    return isGood(owner, token, path, tree);
  }

  /** The same for a caller without a session. */
  public static boolean isGood(LedgerOwner owner, long token, String path, String tree) {
    Instant now = owner.now();
    return owner.look(ledger -> {
      try {
        Lease lease = ledger.leases().lease(token);
        return lease != null
            && now.isBefore(lease.until())
            && ledger.leases().isGood(token, path, tree);
      } catch (IllegalArgumentException e) {
        throw ParleyException.invalid(
            "bad-path", Json.object().put("path", path).put("problem", e.getMessage()));
      }
    });
  }
}
