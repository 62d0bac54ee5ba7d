package dev.parley.coordination.lease;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.FoldTime;
import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.fold.Request;
import dev.parley.coordination.fold.Times;
import dev.parley.core.Timestamps;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
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

  private final TreeMap<Long, Lease> leases = new TreeMap<>();
  private final TreeMap<Long, Waiter> waiters = new TreeMap<>();
  private final Map<String, TreeMap<Long, Lease>> bySession = new TreeMap<>();
  private final TreeSet<Lease> byEnd = new TreeSet<>(BY_END);
  private final PathIndex index = new PathIndex();

  /** Whether somebody may have become free. */
  private boolean moved;

  /** All that are held, in the order in which they were granted. */
  public Collection<Lease> all() {
    return Collections.unmodifiableCollection(leases.values());
  }

  /** All that wait, in their order. */
  public Collection<Waiter> waiters() {
    return Collections.unmodifiableCollection(waiters.values());
  }

  public @Nullable Lease lease(long token) {
    return leases.get(token);
  }

  public @Nullable Waiter waiter(long request) {
    return waiters.get(request);
  }

  public List<Lease> of(String session) {
    TreeMap<Long, Lease> own = bySession.get(session);
    return own == null ? List.of() : List.copyOf(own.values());
  }

  /** The leases in a tree, or meant in every tree, that a pattern overlaps. */
  public List<Lease> touching(PathPattern pattern, String tree) {
    return near(
        List.of(pattern),
        lease ->
            (lease.ask().repo() || lease.ask().tree().equals(tree))
                && lease.ask().touches(pattern));
  }

  /** Whether a token still stands for a path. */
  public boolean isGood(long token, String path, String tree) {
    Lease lease = leases.get(token);
    return lease != null
        && (lease.ask().repo() || lease.ask().tree().equals(tree))
        && lease.paths().stream().anyMatch(held -> held.describes(path));
  }

  /** Who keeps a waiter from its turn: holders and those before it; nobody if it has an offer. */
  public List<Lease> holdersBefore(Waiter waiter) {
    return waiter.isOffered() ? List.of() : conflicts(waiter.ask());
  }

  public List<Waiter> waitersBefore(Waiter waiter) {
    return waiter.isOffered()
        ? List.of()
        : waiters.headMap(waiter.position()).values().stream()
            .filter(earlier -> earlier.ask().conflicts(waiter.ask()))
            .toList();
  }

  /** Ends what is over, but for the waiter that the envelope accepts for; then makes offers. */
  public void pass(FoldTime time, long spared) {
    if (!waiters.isEmpty()) {
      waiters.values().stream()
          .filter(waiter -> waiter.position() != spared && time.isAtOrAfter(waiter.end()))
          .toList()
          .forEach(this::drop);
    }
    while (!byEnd.isEmpty() && time.isAtOrAfter(byEnd.first().until())) {
      end(byEnd.first());
    }
    Instant now = time.now();
    if (moved && now != null) {
      moved = false;
      for (Waiter waiter : List.copyOf(waiters.values())) {
        if (!waiter.isOffered() && isFree(waiter)) {
          waiters.put(waiter.position(), waiter.offered(Times.later(now, waiter.offerTime())));
        }
      }
    }
  }

  private boolean isFree(Waiter waiter) {
    return conflicts(waiter.ask()).isEmpty() && waitersBefore(waiter).isEmpty();
  }

  /**
   * Grants, refuses or puts in line.
   *
   * @param cycle finds the cycle that would close if the one who asks waited for these agents; null
   *     if none would
   */
  public Outcome request(Request request, Function<List<String>, @Nullable List<String>> cycle) {
    Ask ask = Ask.of(request);
    if (ask == null) {
      return badPaths();
    }
    List<Lease> own = of(request.session());
    List<Lease> held = new ArrayList<>();
    List<PathPattern> rest = new ArrayList<>(ask.paths());
    for (Lease lease : own) {
      if (ask.paths().stream().anyMatch(path -> lease.ask().suffices(ask, path))) {
        held.add(lease);
        rest.removeIf(path -> lease.ask().suffices(ask, path));
      }
    }
    if (rest.isEmpty()) {
      return granted(held.getLast(), held);
    }
    Ask wanted = ask.of(List.copyOf(rest));
    List<Lease> holders = conflicts(wanted);
    List<Waiter> before = new ArrayList<>(waiters.values());
    before.removeIf(waiter -> !waiter.ask().conflicts(wanted));
    if (holders.isEmpty() && before.isEmpty()) {
      return granted(grant(request.position(), wanted, request.now()), held);
    }
    if (request.payload().number("wait", 0) <= 0) {
      return holders.isEmpty() ? refused(before.getFirst()) : refused(holders.getFirst());
    }
    List<String> toward = new ArrayList<>();
    holders.forEach(lease -> toward.add(lease.holder()));
    before.forEach(waiter -> toward.add(waiter.ask().name()));
    List<String> closed = cycle.apply(toward);
    if (closed != null) {
      return wouldDeadlock(closed);
    }
    Duration wait = request.seconds("wait", Duration.ZERO, Duration.ofSeconds(1), Waiter.MOST_WAIT);
    Duration offer = request.seconds("offer", Waiter.OFFER, Waiter.LEAST_OFFER, Waiter.MOST_OFFER);
    Waiter waiter =
        new Waiter(request.position(), wanted, Times.later(request.now(), wait), offer, null);
    waiters.put(waiter.position(), waiter);
    return Outcome.accepted(
        Json.object().put("waiting", waiter.position()).put("for", Json.ofStrings(toward)));
  }

  private static Outcome badPaths() {
    return Outcome.refused(
        "bad-paths",
        "The request names no paths, too many, or something that is no path.",
        "Name 1 to " + Ask.MOST_PATHS + " paths relative to the root of the working tree.");
  }

  /** What whoever closes a cycle is told, whatever it wanted to wait for. */
  public static Outcome wouldDeadlock(List<String> cycle) {
    return Outcome.refused(
        "would-deadlock",
        "Waiting would close a circle: " + String.join(" → ", cycle) + ".",
        "Release what the others wait for first, or do something else.",
        Json.object().put("cycle", Json.ofStrings(cycle)));
  }

  public Outcome accept(Request request) {
    Waiter waiter = waiters.get(request.payload().number("request", 0));
    if (waiter == null || !isOwn(waiter, request) || !waiter.isOffered()) {
      return Outcome.refused(
          "not-offered", "Nothing is offered to this request (any more).", "Ask again.");
    }
    drop(waiter);
    return granted(grant(request.position(), waiter.ask(), request.now()), List.of());
  }

  public Outcome renew(Request request) {
    Lease lease = own(request, request.payload().number("token", 0));
    if (lease == null) {
      return notHeld();
    }
    Duration ttl = request.seconds("ttl", lease.ask().ttl(), Ask.LEAST_TTL, Ask.MOST_TTL);
    Instant until = Times.later(request.now(), ttl);
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
    Waiter waiter = waiters.get(request.payload().number("request", 0));
    if (waiter == null || !isOwn(waiter, request)) {
      return Outcome.refused("not-waiting", "This request does not wait (any more).", "Go on.");
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
      return Outcome.refused("no-reason", "A lease is not broken without a reason.", "Say why.");
    }
    end(lease);
    return Outcome.accepted(
        Json.object()
            .put("broken", lease.token())
            .put("holder", lease.holder())
            .put("paths", PathPattern.texts(lease.paths())));
  }

  /** Takes note of what another tool has decided, whoever held the paths before. */
  public Outcome report(Request request) {
    Ask ask = Ask.of(request);
    if (ask == null) {
      return badPaths();
    }
    List<Lease> before = near(ask.paths(), lease -> lease.ask().givesWay(ask));
    for (Lease lease : before) {
      List<PathPattern> rest = lease.paths().stream().filter(path -> !ask.touches(path)).toList();
      if (rest.isEmpty()) {
        end(lease);
      } else {
        replace(lease, lease.of(rest));
      }
    }
    waiters.values().stream()
        .filter(waiter -> waiter.isOffered() && waiter.ask().conflicts(ask))
        .toList()
        .forEach(this::drop);
    return granted(grant(request.position(), ask, request.now()), List.of());
  }

  private static Outcome notHeld() {
    return Outcome.refused(
        "not-held",
        "This token stands for nothing (any more): the lease has ended, or was never yours.",
        "Stop writing to these paths and ask again: parley lock");
  }

  private @Nullable Lease own(Request request, long token) {
    Lease lease = leases.get(token);
    return lease != null && lease.ask().session().equals(request.session()) ? lease : null;
  }

  private static boolean isOwn(Waiter waiter, Request request) {
    return waiter.ask().session().equals(request.session());
  }

  private Lease grant(long position, Ask ask, Instant now) {
    Lease lease = new Lease(position, ask, now, Times.later(now, ask.ttl()));
    put(lease);
    return lease;
  }

  private Outcome granted(Lease lease, List<Lease> held) {
    Ask ask = lease.ask();
    List<Lease> elsewhere =
        isAlone(ask) ? List.of() : near(ask.paths(), other -> other.ask().isNear(ask));
    return new Grant(lease, List.copyOf(held), elsewhere);
  }

  private static Outcome refused(Lease lease) {
    return Outcome.refused(
        "held",
        lease.holder()
            + " holds "
            + String.join(", ", lease.paths().stream().map(PathPattern::toString).toList())
            + " since "
            + Timestamps.format(lease.since())
            + " until "
            + Timestamps.format(lease.until())
            + ".",
        "Wait for it (--wait 5m), or ask: parley send " + lease.holder() + " --type question",
        lease.describe());
  }

  private static Outcome refused(Waiter waiter) {
    return Outcome.refused(
        "held",
        waiter.ask().name() + " is before you in the line for it.",
        "Wait for it (--wait 5m).",
        Json.object()
            .put("holder", waiter.ask().name())
            .put("paths", PathPattern.texts(waiter.ask().paths()))
            .put("waiting", true)
            .put("until", Timestamps.format(waiter.end())));
  }

  /** Ends everything of a session. */
  public void endSession(String session) {
    of(session).forEach(this::end);
    waiters.values().stream()
        .filter(waiter -> waiter.ask().session().equals(session))
        .toList()
        .forEach(this::drop);
  }

  /** Ends what a session holds for a task. */
  public List<Long> endTask(String session, String task) {
    List<Lease> ended =
        of(session).stream().filter(lease -> Objects.equals(lease.ask().task(), task)).toList();
    ended.forEach(this::end);
    return ended.stream().map(Lease::token).toList();
  }

  private List<Lease> conflicts(Ask ask) {
    return isAlone(ask) ? List.of() : near(ask.paths(), lease -> lease.ask().conflicts(ask));
  }

  /** Whether nobody but the one who asks holds anything. */
  private boolean isAlone(Ask ask) {
    Map<Long, Lease> own = bySession.get(ask.session());
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
        .computeIfAbsent(lease.ask().session(), session -> new TreeMap<>())
        .put(lease.token(), lease);
    byEnd.add(lease);
    index.add(lease);
  }

  private void end(Lease lease) {
    leases.remove(lease.token());
    String session = lease.ask().session();
    Map<Long, Lease> own = bySession.get(session);
    if (own != null) {
      own.remove(lease.token());
      if (own.isEmpty()) {
        bySession.remove(session);
      }
    }
    byEnd.remove(lease);
    index.remove(lease);
    moved = true;
  }

  private void replace(Lease before, Lease after) {
    end(before);
    put(after);
  }

  private void drop(Waiter waiter) {
    waiters.remove(waiter.position());
    moved = true;
  }

  /** Keeps every remaining duration when the time goes back. */
  public void moveBack(Duration by) {
    List.copyOf(leases.values()).forEach(lease -> replace(lease, lease.movedBack(by)));
    waiters.replaceAll((position, waiter) -> waiter.movedBack(by));
  }

  public Json save() {
    return Json.object()
        .put("leases", Json.of(leases.values().stream().map(Lease::save).toList()))
        .put("waiters", Json.of(waiters.values().stream().map(Waiter::save).toList()))
        .build();
  }

  public static Leases load(Fields saved) {
    Leases leases = new Leases();
    saved.items("leases").forEach(item -> leases.put(Lease.load(Fields.of(item))));
    for (Json item : saved.items("waiters")) {
      Waiter waiter = Waiter.load(Fields.of(item));
      leases.waiters.put(waiter.position(), waiter);
    }
    return leases;
  }
}
