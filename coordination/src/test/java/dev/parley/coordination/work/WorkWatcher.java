package dev.parley.coordination.work;

import dev.parley.coordination.Simulation.Violation;
import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.lease.LeaseTerms;
import dev.parley.coordination.lease.LeaseTypes;
import dev.parley.coordination.lease.Waiter;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.LedgerTypes;
import dev.parley.coordination.ledger.WaitGraph;
import dev.parley.coordination.path.PathPattern;
import dev.parley.coordination.task.Claim;
import dev.parley.coordination.task.Task;
import dev.parley.coordination.task.TaskTypes;
import dev.parley.coordination.wait.Wait;
import dev.parley.core.Envelope;
import dev.parley.core.Position;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Looks at the ledger after every line, and knows what must be so. */
final class WorkWatcher {
  /** Who ends what may end leases. */
  private static final Set<String> ENDS_LEASES =
      Set.of(
          LeaseTypes.RELEASE,
          LeaseTypes.BREAK,
          LeaseTypes.REPORT,
          LedgerTypes.UNDO,
          LedgerTypes.LEAVE,
          LedgerTypes.JOIN,
          TaskTypes.DONE,
          TaskTypes.FAIL,
          TaskTypes.RELEASE,
          TaskTypes.CANCEL);

  /** Every path that patterns of these worlds can have in common. */
  private final List<String> paths;

  private final Map<List<PathPattern>, Set<String>> described = new HashMap<>();
  private final Ledger ledger = new Ledger();
  private final Map<Long, Lease> held = new HashMap<>();
  private final Map<String, Task> tasks = new HashMap<>();
  private final Set<Long> ended = new HashSet<>();
  private final Map<Long, String> granted = new HashMap<>();
  private final Map<String, Instant> heard = new HashMap<>();

  /** The files that claims hold no more, because somebody broke or gave up their lock. */
  private final Map<Long, Set<String>> givenUp = new HashMap<>();

  private List<Waiter> waited = List.of();
  private Duration claimAfter = Ledger.CLAIM_AFTER;
  private int reported;
  private long last;

  WorkWatcher(List<String> paths) {
    this.paths = paths;
  }

  Ledger ledger() {
    return ledger;
  }

  long position() {
    return last;
  }

  /** How many leases were ever granted. */
  int grants() {
    return granted.size();
  }

  /** How many of them another tool took, and only said so. */
  int reported() {
    return reported;
  }

  /**
   * Takes the next line.
   *
   * @param present the latest that it can be, right after the line
   */
  void see(Envelope line, Function<Ledger, Instant> present) {
    Lease named = ledger.leases().lease(Fields.of(line.payload()).number("token", 0));
    ledger.apply(line, new Position(last));
    last = line.position().value();
    Instant latest = present.apply(ledger);
    if (ledger.time().isAtOrAfter(latest.plusSeconds(1))) {
      throw new Violation("a 2099 line moves nothing", "it is " + ledger.time().now());
    }
    leases(line, latest);
    tasks(line, latest);
    claimsHoldTheirFiles(line, named);
    noCycle();
    claimAfter = ledger.claimAfter();
    waited = List.copyOf(ledger.leases().waiters());
    ledger.roster().members().forEach(member -> heard.put(member.name(), member.heard()));
  }

  private void leases(Envelope line, Instant latest) {
    Set<Long> now = new HashSet<>();
    for (Lease lease : ledger.leases().all()) {
      now.add(lease.token());
      if (held.put(lease.token(), lease) == null) {
        begins(line, lease);
      }
      oneHolder(lease);
      hasItsClaim(lease);
      if (ledger.time().isAtOrAfter(lease.until())) {
        throw new Violation("what is held lasts", lease + " at " + ledger.time().now());
      }
      hasItsName(lease.terms());
    }
    ledger.leases().waiters().forEach(waiter -> hasItsName(waiter.terms()));
    for (Lease lease : List.copyOf(held.values())) {
      if (!now.contains(lease.token())) {
        held.remove(lease.token());
        ended.add(lease.token());
        // A kept lease may end when another covers its paths; claimsHoldTheirFiles watches that.
        boolean said = lease.kept() || ENDS_LEASES.contains(line.type());
        if (!said && lease.until().isAfter(latest) && !hadSilentOwner(lease, latest)) {
          throw new Violation("a lease ends for a reason", lease + " at " + line);
        }
      }
    }
  }

  /** Whether the claim was over that the lease was for. */
  private boolean hadSilentOwner(Lease lease, Instant latest) {
    String id = lease.terms().task();
    Task task = id == null ? null : tasks.get(id);
    return task != null && isOverByTime(task, latest);
  }

  /** Before this line, by which its owner may have been heard of again. */
  private boolean isOverByTime(Task task, Instant latest) {
    Instant until = task.claim().until();
    // Before this line, which may have set another.
    Duration silence =
        claimAfter.compareTo(ledger.claimAfter()) < 0 ? claimAfter : ledger.claimAfter();
    Instant lastHeard = task.owner() == null ? null : heard.get(task.owner());
    return (until != null && !until.isAfter(latest))
        || (lastHeard != null && !lastHeard.plus(silence).isAfter(latest));
  }

  private void begins(Envelope line, Lease lease) {
    long token = lease.token();
    if (token != line.position().value() || ended.contains(token)) {
      throw new Violation("tokens are unique and grow", lease + " at " + line);
    }
    granted.put(token, lease.terms().session());
    if (line.type().equals(LeaseTypes.REPORT)) {
      reported++;
      return; // what another tool has decided does not stand in our line
    }
    // Whoever asked before and waits on must not have wanted the same.
    long asked =
        line.type().equals(LeaseTypes.ACCEPT)
            ? line.payload().fields().get("request").number(0)
            : token;
    for (Waiter waiter : waited) {
      boolean waits = ledger.leases().waiter(waiter.position()) != null;
      if (waits && waiter.position() < asked && conflict(waiter.terms(), lease.terms())) {
        throw new Violation("first come, first served", lease + " before " + waiter);
      }
    }
  }

  private void hasItsName(LeaseTerms terms) {
    if (!ledger.roster().owns(terms.name(), terms.session())) {
      throw new Violation("a session that ended has nothing", terms.toString());
    }
  }

  private void oneHolder(Lease lease) {
    for (Lease other : ledger.leases().all()) {
      if (other.token() < lease.token() && conflict(other.terms(), lease.terms())) {
        throw new Violation("one holder of a path", other + " and " + lease);
      }
    }
  }

  /** The same as the fold should find, said by paths instead of patterns. */
  private boolean conflict(LeaseTerms one, LeaseTerms other) {
    return !one.session().equals(other.session())
        && !(one.shared() && other.shared())
        && (one.tree().equals(other.tree()) || one.repo() || other.repo())
        && !Collections.disjoint(in(one), in(other));
  }

  private Set<String> in(LeaseTerms terms) {
    return described.computeIfAbsent(
        terms.paths(),
        patterns ->
            paths.stream()
                .filter(path -> patterns.stream().anyMatch(one -> one.describes(path)))
                .collect(Collectors.toSet()));
  }

  private void tasks(Envelope line, Instant latest) {
    for (Task task : ledger.tasks().all()) {
      Task before = tasks.put(task.id(), task);
      String session = task.session();
      boolean own = before != null && session != null && session.equals(before.session());
      boolean same = own && before.claim().token() == task.claim().token();
      if (task.state().hasOwner() != (session != null)) {
        throw new Violation("one owner of a task", task.toString());
      }
      if (session != null && !same) {
        boolean taken = before != null && before.session() != null;
        if (task.claim().token() == last && takesFiles(line)) {
          givenUp.put(last, new HashSet<>());
        }
        if (task.claim().token() != last || (taken && !isOverByTime(before, latest))) {
          throw new Violation("one owner of a task", before + " then " + task + " at " + line);
        }
      }
      if (session != null && !ledger.roster().owns(String.valueOf(task.owner()), session)) {
        throw new Violation("an owner has its name", task.toString());
      }
    }
  }

  private static boolean takesFiles(Envelope line) {
    Json files = line.payload().fields().get("files");
    return files == null || files.isTrue();
  }

  /**
   * Every live claim that took its files has them, but for those that somebody broke, that another
   * tool took, or that the owner released while they were locked for that very task.
   *
   * @param named the lease that the line names, as it was before
   */
  private void claimsHoldTheirFiles(Envelope line, @Nullable Lease named) {
    for (Task task : ledger.tasks().all()) {
      Set<String> without = givenUp.get(task.claim().token());
      if (task.session() == null || without == null) {
        continue;
      }
      Set<String> missing = missing(task, task.session());
      without.addAll(givenUp(line, named, task));
      if (!without.containsAll(missing)) {
        throw new Violation(
            "every live claim's files are held by its session",
            task + " without " + missing + " at " + line);
      }
    }
  }

  /** The paths that a claim holds no more from this line on, or only by another lease. */
  private Set<String> givenUp(Envelope line, @Nullable Lease named, Task task) {
    if (line.type().equals(LeaseTypes.REPORT)) {
      return touched(line, task);
    }
    boolean broken = line.type().equals(LeaseTypes.BREAK);
    boolean released =
        line.type().equals(LeaseTypes.RELEASE)
            && named != null
            && named.ofClaim()
            && !named.kept()
            && task.id().equals(named.terms().task());
    boolean own = named != null && named.terms().session().equals(task.session());
    return own && (broken || released) ? in(named.terms()) : Set.of();
  }

  /** What a claim loses to another tool: each of its patterns that overlaps what it took. */
  private Set<String> touched(Envelope line, Task task) {
    Set<String> lost = new HashSet<>();
    List<PathPattern> taken =
        Fields.of(line.payload()).texts("paths").stream().map(PathPattern::of).toList();
    for (String file : task.plan().files()) {
      PathPattern pattern = PathPattern.of(file);
      if (taken.stream().anyMatch(pattern::overlaps)) {
        paths.stream().filter(pattern::describes).forEach(lost::add);
      }
    }
    return lost;
  }

  private Set<String> missing(Task task, String session) {
    Set<String> missing = new HashSet<>();
    for (String file : task.plan().files()) {
      PathPattern pattern = PathPattern.of(file);
      paths.stream().filter(pattern::describes).forEach(missing::add);
    }
    Claim.Files files = task.claim().files();
    for (Lease lease : ledger.leases().of(session)) {
      LeaseTerms terms = lease.terms();
      if (files != null
          && !terms.shared()
          && (terms.repo() || (!files.repo() && terms.tree().equals(files.tree())))) {
        missing.removeAll(in(terms));
      }
    }
    return missing;
  }

  private void hasItsClaim(Lease lease) {
    Task task = lease.terms().task() == null ? null : ledger.tasks().task(lease.terms().task());
    if (lease.ofClaim() && (task == null || !lease.terms().session().equals(task.session()))) {
      throw new Violation("files go back with the claim", lease + " of " + task);
    }
  }

  private void noCycle() {
    if (ledger.waits().all().stream().noneMatch(Wait::reported)) {
      Map<String, List<String>> edges = new HashMap<>();
      for (WaitGraph.Edge edge : ledger.graph().edges()) {
        edges.computeIfAbsent(edge.from(), node -> new ArrayList<>()).add(edge.to());
      }
      for (String node : edges.keySet()) {
        if (reaches(node, node, edges, new HashSet<>())) {
          throw new Violation("no circle of waits survives", node + " in " + edges);
        }
      }
    }
  }

  private static boolean reaches(
      String from, String to, Map<String, List<String>> edges, Set<String> been) {
    for (String next : edges.getOrDefault(from, List.of())) {
      if (next.equals(to) || (been.add(next) && reaches(next, to, edges, been))) {
        return true;
      }
    }
    return false;
  }

  /** What somebody was told must be so. */
  void told(String session, long token) {
    if (!session.equals(granted.get(token))) {
      throw new Violation("an answer is what the order made of it", token + " to " + session);
    }
  }
}
