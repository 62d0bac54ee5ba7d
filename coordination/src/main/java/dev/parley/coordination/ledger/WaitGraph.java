package dev.parley.coordination.ledger;

import dev.parley.coordination.board.Meeting;
import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.lease.PathPattern;
import dev.parley.coordination.lease.Waiter;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for whom, over leases, questions, tasks and boards.
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
 * Who waits for a path waits for those who held it when the wait began. So nobody comes to wait for
 * anybody but by an envelope that can be refused: a request that joins a line, a wait, a block, a
 * claim, and a new task that others depend on already. Only a board that comes to its next phase
 * can't be refused that: the waits for it that would be in a circle then end, and are refused when
 * they are begun anew.
 */
public final class WaitGraph {
  private final Ledger ledger;

  WaitGraph(Ledger ledger) {
    this.ledger = ledger;
  }

  /**
   * One waits for another.
   *
   * @param why what for, in a few words
   */
  public record Edge(String from, String to, String why) {}

  /**
   * A circle of waits.
   *
   * @param members one after the other, the first again at the end
   * @param victim who should give way
   * @param why that one
   */
  public record Cycle(List<String> members, String victim, String why) {}

  private static final String TASK = "task:";

  static String node(String task) {
    return TASK + task;
  }

  /** What a node waits for. */
  public List<Edge> from(String node) {
    List<Edge> edges = new ArrayList<>();
    if (node.startsWith(TASK)) {
      Task task = ledger.tasks().task(node.substring(TASK.length()));
      if (task != null) {
        ofTask(node, task, edges);
      }
      return edges;
    }
    if (node.startsWith("board:")) {
      Meeting meeting = ledger.boards().meeting(node.substring("board:".length()));
      if (meeting != null) {
        for (String elector : meeting.missing()) {
          edges.add(new Edge(node, elector, "is missing in phase " + meeting.phase()));
        }
      }
      return edges;
    }
    for (Waiter waiter : ledger.leases().waiters()) {
      if (waiter.ask().name().equals(node)) {
        String paths = texts(waiter.ask().paths());
        for (Lease lease : ledger.leases().holdersBefore(waiter)) {
          edges.add(new Edge(node, lease.holder(), "holds " + texts(lease.paths())));
        }
        for (Waiter before : ledger.leases().waitersBefore(waiter)) {
          edges.add(new Edge(node, before.ask().name(), "is before it in line for " + paths));
        }
      }
    }
    for (Wait wait : ledger.waits().all()) {
      if (wait.name().equals(node)) {
        String why = wait.about() == null ? wait.target().toString() : wait.about();
        toward(wait).forEach(to -> edges.add(new Edge(node, to, "waits for " + why)));
      }
    }
    for (Task task : tasks(node)) {
      Claim.Block block = task.claim().block();
      if (block != null) {
        String why = task.id() + " is blocked on " + block.on();
        toward(block.target(), block.tree(), node, block.position())
            .forEach(to -> edges.add(new Edge(node, to, why)));
      }
    }
    return edges;
  }

  /** What an agent has claimed. */
  private List<Task> tasks(String name) {
    String session = ledger.roster().session(name);
    return session == null ? List.of() : ledger.tasks().of(session);
  }

  private void ofTask(String node, Task task, List<Edge> edges) {
    String owner = task.owner();
    if (task.state().hasOwner() && owner != null) {
      edges.add(new Edge(node, owner, "works on it"));
    } else if (task.state() == TaskState.PENDING) {
      for (String id : ledger.tasks().missing(task)) {
        edges.add(new Edge(node, node(id), "depends on it"));
      }
    }
  }

  private static String texts(List<PathPattern> paths) {
    return String.join(", ", paths.stream().map(PathPattern::toString).toList());
  }

  Target target(String text) {
    return Target.of(text, ledger.roster()::knows, ledger.tasks()::knows);
  }

  /** The nodes that somebody waits for; none, once that is over. */
  List<String> toward(Wait wait) {
    return toward(wait.target(), wait.tree(), wait.name(), wait.position());
  }

  private List<String> toward(Target target, String tree, String who, long since) {
    return switch (target.kind()) {
      case AGENT -> hasLeft(target.name()) ? List.of() : List.of(target.name());
      case TASK -> hasEnded(target.name()) ? List.of() : List.of(node(target.name()));
      case PATH ->
          leases(target.name(), tree, who, since).stream().map(Lease::holder).distinct().toList();
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

  /**
   * What others hold of a path in a tree, or in any, if none is named.
   *
   * @param since a position: those who took it later are not waited for
   */
  private List<Lease> leases(String path, String tree, String who, long since) {
    PathPattern pattern;
    try {
      pattern = PathPattern.of(path);
    } catch (ParleyException e) {
      return List.of();
    }
    Collection<Lease> all =
        tree.isEmpty() ? ledger.leases().all() : ledger.leases().touching(pattern, tree);
    return all.stream()
        .filter(lease -> lease.token() < since)
        .filter(lease -> !lease.holder().equals(who) && lease.touches(pattern))
        .toList();
  }

  /** When what somebody waits for may end by time alone; null if it can't. */
  public @Nullable Instant nextEnd(Wait wait) {
    return switch (wait.target().kind()) {
      case PATH ->
          leases(wait.target().name(), wait.tree(), wait.name(), wait.position()).stream()
              .map(Lease::until)
              .min(Comparator.naturalOrder())
              .orElse(null);
      case TASK -> ledger.nextEndOfAClaim();
      case BOARD -> {
        Meeting meeting = ledger.boards().meeting(wait.target().name());
        yield meeting == null ? null : meeting.stage().ends();
      }
      case AGENT -> null;
    };
  }

  /** Whether what is waited for is known at all. */
  boolean isKnown(Target target) {
    return switch (target.kind()) {
      case AGENT -> ledger.roster().knows(target.name());
      case TASK -> ledger.tasks().knows(target.name());
      case PATH -> true;
      case BOARD -> ledger.boards().meeting(target.name()) != null;
    };
  }

  /** Whether there is nothing (any more) to wait for. */
  boolean isOver(Wait wait) {
    return switch (wait.target().kind()) {
      case AGENT -> hasLeft(wait.target().name());
      case TASK -> hasEnded(wait.target().name());
      case PATH -> toward(wait).isEmpty();
      case BOARD -> {
        Meeting meeting = ledger.boards().meeting(wait.target().name());
        // An elector whose turn has come has better things to do than to wait.
        yield meeting == null
            || meeting.phase().isDecided()
            || meeting.missing().contains(wait.name());
      }
    };
  }

  /**
   * Whether a wait for a board has come to be in a circle, because the board's phase is another.
   */
  boolean isStuck(Wait wait) {
    return wait.target().kind() == Target.Kind.BOARD
        && !wait.reported()
        && cycle(wait.name(), toward(wait)) != null;
  }

  /**
   * The circle that would close if {@code from} waited for these; null if none would. It begins and
   * ends with {@code from}.
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
      for (Edge edge : from(node)) {
        if (cameFrom.putIfAbsent(edge.to(), node) == null) {
          open.add(edge.to());
        }
      }
    }
    return null;
  }

  /** The circle that would close if this agent had claimed this task; null if none would. */
  @Nullable List<String> cycleOfClaim(String agent, String task) {
    String node = node(task);
    Map<String, String> cameFrom = new HashMap<>();
    Deque<String> open = new ArrayDeque<>(List.of(agent));
    while (!open.isEmpty()) {
      String next = open.remove();
      for (Edge edge : from(next)) {
        if (!edge.to().equals(agent) && cameFrom.putIfAbsent(edge.to(), next) == null) {
          open.add(edge.to());
        }
      }
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

  /** Everyone who waits. */
  public Set<String> waiting() {
    Set<String> names = new TreeSet<>();
    ledger.leases().waiters().forEach(waiter -> names.add(waiter.ask().name()));
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

  /** Every edge that begins at somebody who waits, and those further on. */
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

  /** The circles there are: what other tools report can close them. */
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

  /** Whoever holds least should give way; of equals the one that began to wait last. */
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
    for (Wait wait : ledger.waits().all()) {
      last = wait.name().equals(name) ? Math.max(last, wait.position()) : last;
    }
    for (Waiter waiter : ledger.leases().waiters()) {
      last = waiter.ask().name().equals(name) ? Math.max(last, waiter.position()) : last;
    }
    for (Task task : tasks(name)) {
      Claim.Block block = task.claim().block();
      last = block == null ? last : Math.max(last, block.position());
    }
    return last;
  }
}
