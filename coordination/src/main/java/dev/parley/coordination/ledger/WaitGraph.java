package dev.parley.coordination.ledger;

import dev.parley.coordination.board.BoardSession;
import dev.parley.coordination.fold.LedgerLimits;
import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.lease.Waiter;
import dev.parley.coordination.path.PathPattern;
import dev.parley.coordination.roster.Member;
import dev.parley.coordination.task.Claim;
import dev.parley.coordination.task.Task;
import dev.parley.coordination.task.TaskState;
import dev.parley.coordination.wait.Target;
import dev.parley.coordination.wait.Wait;
import dev.parley.core.ParleyException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The graph of waits over leases, questions, tasks and boards. It finds cycles.
 *
 * <pre>
 * from            to
 * --------------  --------------------------------------------------------------------------------
 * agent           who holds what it waits in line for, and who is before it there (unless it has an
 *                   offer); what it waits for; what a task of its own is blocked on
 * task:x          who has claimed x; if nobody can yet, the tasks that x depends on
 * board:x         the electors who are missing in the phase that x is in
 * </pre>
 *
 * An agent that waits for a path waits only for the holders at the time when the wait began. So
 * every new edge comes from an envelope that can be refused: a request that joins the queue, a
 * wait, a block, a claim, or a new task that others already depend on. There is one exception: a
 * board that enters its next phase. Waits for the board that would then be in a cycle end, and are
 * refused if they begin anew.
 */
public final class WaitGraph {
  private final Ledger ledger;

  WaitGraph(Ledger ledger) {
    this.ledger = ledger;
    this.awaited = new AwaitedLeases(ledger);
  }

  /**
   * An edge: one node waits for another.
   *
   * @param why the reason, in a few words
   */
  public record Edge(String from, String to, String why) {}

  /**
   * A cycle of waits.
   *
   * @param members the nodes in order; the last is the first again
   * @param victim the agent that should give way
   * @param why it was chosen
   */
  public record Cycle(List<String> members, String victim, String why) {}

  private static final String TASK = "task:";
  private static final String BOARD = "board:";

  private final AwaitedLeases awaited;

  private @Nullable BoardSession asked;
  private Set<String> missing = Set.of();

  /** The nodes that can be reached from each board. A cache, dropped when an edge changes. */
  private final Map<String, Set<String>> reach = new HashMap<>();

  static String node(String task) {
    return TASK + task;
  }

  /** Receives each node that a node waits for, with the reason on demand. */
  private interface Visitor {
    void visit(String to, Supplier<String> why);
  }

  /** The edges from a node. */
  public List<Edge> from(String node) {
    List<Edge> edges = new ArrayList<>();
    visit(node, (to, why) -> edges.add(new Edge(node, to, why.get())));
    return edges;
  }

  private void visit(String node, Visitor visitor) {
    if (node.startsWith(TASK)) {
      Task task = ledger.tasks().task(node.substring(TASK.length()));
      if (task != null) {
        visit(task, visitor);
      }
      return;
    }
    if (node.startsWith(BOARD)) {
      BoardSession meeting = ledger.boards().meeting(node.substring(BOARD.length()));
      if (meeting != null) {
        for (String elector : meeting.missing()) {
          visitor.visit(elector, () -> "is missing in phase " + meeting.phase());
        }
      }
      return;
    }
    for (Waiter waiter : ledger.leases().waitersOf(node)) {
      for (Lease lease : ledger.leases().holdersBefore(waiter)) {
        visitor.visit(lease.holder(), () -> "holds " + texts(lease.paths()));
      }
      Supplier<String> inLine = () -> "is before it in line for " + texts(waiter.terms().paths());
      for (Waiter before : ledger.leases().waitersBefore(waiter)) {
        visitor.visit(before.terms().name(), inLine);
      }
    }
    for (Wait wait : ledger.waits().ofName(node)) {
      String about = wait.about();
      for (String to : toward(wait)) {
        visitor.visit(to, () -> "waits for " + (about == null ? wait.target().toString() : about));
      }
    }
    for (Task task : tasks(node)) {
      Claim.Block block = task.claim().block();
      if (block != null) {
        for (String to : toward(block.target(), block.tree(), node, block.position())) {
          visitor.visit(to, () -> task.id() + " is blocked on " + block.on());
        }
      }
    }
  }

  /** The tasks that an agent has claimed. */
  private List<Task> tasks(String name) {
    String session = ledger.roster().session(name);
    return session == null ? List.of() : ledger.tasks().of(session);
  }

  private void visit(Task task, Visitor visitor) {
    String owner = task.owner();
    if (task.state().hasOwner() && owner != null) {
      visitor.visit(owner, () -> "works on it");
    } else if (task.state() == TaskState.PENDING) {
      for (String id : ledger.tasks().missing(task)) {
        visitor.visit(node(id), () -> "depends on it");
      }
    }
  }

  private static String texts(List<PathPattern> paths) {
    return String.join(", ", paths.stream().map(PathPattern::toString).toList());
  }

  Target target(String text) {
    return Target.of(text, ledger.roster()::knows, ledger.tasks()::knows);
  }

  /** The nodes that a wait leads to; none once the wait is over. */
  List<String> toward(Wait wait) {
    return toward(wait.target(), wait.tree(), wait.name(), wait.position());
  }

  private List<String> toward(Target target, String tree, String who, long since) {
    return switch (target.kind()) {
      case AGENT -> hasLeft(target.name()) ? List.of() : List.of(target.name());
      case TASK -> hasEnded(target.name()) ? List.of() : List.of(node(target.name()));
      case PATH -> holders(target.name(), tree, who, since);
      case BOARD -> List.of(target.toString());
    };
  }

  private boolean hasLeft(String name) {
    Member member = ledger.roster().member(name);
    return member != null && member.hasLeft();
  }

  private boolean hasEnded(String id) {
    Task task = ledger.tasks().task(id);
    return task != null && task.state().isOver();
  }

  private List<String> holders(String path, String tree, String who, long since) {
    Set<String> names = new LinkedHashSet<>();
    for (Lease lease : awaited.held(path, tree, who, since)) {
      names.add(lease.holder());
    }
    return List.copyOf(names);
  }

  /** The refusal of a wait for a path that takes too long to compare; null if it does not. */
  @Nullable Outcome tooComplex(Target target, LedgerLimits bounds) {
    if (target.kind() != Target.Kind.PATH || !bounds.areInForce()) {
      return null;
    }
    try {
      return ledger.leases().tooComplex(PathPattern.of(target.name()), bounds);
    } catch (ParleyException e) {
      return null; // not a valid pattern, so nobody can hold it
    }
  }

  /** When a wait may end by time alone; null if it can't. */
  public @Nullable Instant nextEnd(Wait wait) {
    return switch (wait.target().kind()) {
      case PATH ->
          awaited.leases(wait.target().name(), wait.tree(), wait.name(), wait.position()).stream()
              .map(ledger::endOf)
              .min(Comparator.naturalOrder())
              .orElse(null);
      case TASK -> ledger.nextEndOfAClaim();
      case BOARD -> {
        BoardSession meeting = ledger.boards().meeting(wait.target().name());
        yield meeting == null ? null : meeting.stage().ends();
      }
      case AGENT -> null;
    };
  }

  /** Whether the target is known. */
  boolean isKnown(Target target) {
    return switch (target.kind()) {
      case AGENT -> ledger.roster().knows(target.name());
      case TASK -> ledger.tasks().knows(target.name());
      case PATH -> true;
      case BOARD -> ledger.boards().meeting(target.name()) != null;
    };
  }

  /** Many agents wait for the same board, so its missing electors are computed once. */
  @SuppressWarnings("ReferenceEquality")
  private Set<String> missing(BoardSession meeting) {
    if (meeting != asked) {
      asked = meeting;
      missing = Set.copyOf(meeting.missing());
    }
    return missing;
  }

  /** Whether there is nothing left to wait for. */
  public boolean isOver(Wait wait) {
    return switch (wait.target().kind()) {
      case AGENT -> hasLeft(wait.target().name());
      case TASK -> hasEnded(wait.target().name());
      case PATH -> toward(wait).isEmpty();
      case BOARD -> {
        BoardSession meeting = ledger.boards().meeting(wait.target().name());
        // An elector whose turn has come must act, not wait.
        yield meeting == null
            || meeting.phase().isDecided()
            || missing(meeting).contains(wait.name());
      }
    };
  }

  /**
   * Whether a wait for a board is in a cycle by now. The board's next phase or a report of another
   * tool can close one. What can be reached is cached until {@link #changed}.
   */
  boolean isStuck(Wait wait) {
    return wait.target().kind() == Target.Kind.BOARD
        && !wait.reported()
        && reach.computeIfAbsent(wait.target().toString(), this::reachable).contains(wait.name());
  }

  /** Drops what can be reached, because an edge has changed. */
  void changed() {
    reach.clear();
  }

  private Set<String> reachable(String node) {
    Set<String> been = new HashSet<>(Set.of(node));
    Deque<String> open = new ArrayDeque<>(been);
    while (!open.isEmpty()) {
      visit(
          open.remove(),
          (to, why) -> {
            if (been.add(to)) {
              open.add(to);
            }
          });
    }
    return been;
  }

  /** Whether a board waits, in its new phase, for an agent that waits for the board. */
  boolean isInACircle(String board) {
    String node = BOARD + board;
    BoardSession meeting = ledger.boards().meeting(board);
    return meeting != null && cycle(node, meeting.missing()) != null;
  }

  /**
   * The cycle that would close if {@code from} waited for these nodes; null if none would. It
   * begins and ends with {@code from}.
   */
  @Nullable List<String> cycle(String from, Collection<String> toward) {
    Map<String, String> cameFrom = new HashMap<>();
    Deque<String> open = new ArrayDeque<>();
    for (String next : toward) {
      if (cameFrom.putIfAbsent(next, from) == null) {
        open.add(next);
      }
    }
    while (!open.isEmpty()) {
      String node = open.remove();
      if (node.equals(from)) {
        List<String> way = new ArrayList<>(List.of(node));
        do {
          way.addFirst(Objects.requireNonNull(cameFrom.get(way.getFirst())));
        } while (!way.getFirst().equals(from));
        return List.copyOf(way);
      }
      visit(
          node,
          (to, why) -> {
            if (cameFrom.putIfAbsent(to, node) == null) {
              open.add(to);
            }
          });
    }
    return null;
  }

  /** The cycle that would close if this agent claimed this task; null if none would. */
  @Nullable List<String> cycleOfClaim(String agent, String task) {
    String node = node(task);
    Map<String, String> cameFrom = new HashMap<>();
    Deque<String> open = new ArrayDeque<>(List.of(agent));
    while (!open.isEmpty()) {
      String next = open.remove();
      visit(
          next,
          (to, why) -> {
            if (!to.equals(agent) && cameFrom.putIfAbsent(to, next) == null) {
              open.add(to);
            }
          });
    }
    if (!cameFrom.containsKey(node)) {
      return null;
    }
    List<String> way = new ArrayList<>(List.of(node, agent));
    while (!way.getFirst().equals(agent)) {
      way.addFirst(Objects.requireNonNull(cameFrom.get(way.getFirst())));
    }
    return List.copyOf(way);
  }

  /** What a blocked task waits for. */
  public List<String> blockers(Task task) {
    Claim.Block block = task.claim().block();
    String owner = task.owner();
    return block == null || owner == null
        ? List.of()
        : List.copyOf(toward(block.target(), block.tree(), owner, block.position()));
  }

  /** All agents that wait. */
  public Set<String> waiting() {
    Set<String> names = new TreeSet<>();
    ledger.leases().waiters().forEach(waiter -> names.add(waiter.terms().name()));
    ledger.waits().all().forEach(wait -> names.add(wait.name()));
    for (String session : ledger.tasks().owners()) {
      for (Task task : ledger.tasks().of(session)) {
        String owner = task.owner();
        if (task.state() == TaskState.BLOCKED && owner != null) {
          names.add(owner);
        }
      }
    }
    return names;
  }

  /** All edges that can be reached from a waiting agent. */
  public List<Edge> edges() {
    Set<Edge> edges = new LinkedHashSet<>();
    Set<String> been = new TreeSet<>();
    Deque<String> open = new ArrayDeque<>(waiting());
    while (!open.isEmpty()) {
      String node = open.remove();
      if (been.add(node)) {
        for (Edge edge : from(node)) {
          edges.add(edge);
          open.add(edge.to());
        }
      }
    }
    return List.copyOf(edges);
  }

  /** The cycles that exist. Only reports of other tools can close one. */
  public List<Cycle> cycles() {
    List<Cycle> cycles = new ArrayList<>();
    Set<Set<String>> been = new LinkedHashSet<>();
    for (String name : waiting()) {
      List<String> members = cycle(name, from(name).stream().map(Edge::to).toList());
      if (members != null && been.add(Set.copyOf(members))) {
        cycles.add(withVictim(members));
      }
    }
    return cycles;
  }

  /**
   * The cycle with its victim: the member with the fewest leases; among equals the one that began
   * to wait last.
   */
  private Cycle withVictim(List<String> members) {
    String victim = members.getFirst();
    for (String member : members) {
      if (ledger.roster().member(member) != null && isBetter(member, victim)) {
        victim = member;
      }
    }
    return new Cycle(
        members,
        victim,
        "it holds the least (" + held(victim) + " leases) and began to wait last among those");
  }

  private boolean isBetter(String one, String other) {
    int compared = Integer.compare(held(one), held(other));
    return ledger.roster().member(other) == null
        || compared < 0
        || (compared == 0 && waitsSince(one) > waitsSince(other));
  }

  private int held(String name) {
    String session = ledger.roster().session(name);
    return session == null ? 0 : ledger.leases().of(session).size();
  }

  private long waitsSince(String name) {
    long last = 0;
    for (Wait wait : ledger.waits().ofName(name)) {
      last = Math.max(last, wait.position());
    }
    for (Waiter waiter : ledger.leases().waitersOf(name)) {
      last = Math.max(last, waiter.position());
    }
    for (Task task : tasks(name)) {
      Claim.Block block = task.claim().block();
      last = block == null ? last : Math.max(last, block.position());
    }
    return last;
  }
}
