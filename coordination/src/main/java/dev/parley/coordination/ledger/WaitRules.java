package dev.parley.coordination.ledger;

import dev.parley.coordination.board.Boards;
import dev.parley.coordination.fold.FoldTime;
import dev.parley.coordination.fold.LedgerLimit;
import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.fold.Request;
import dev.parley.coordination.lease.LeaseRules;
import dev.parley.coordination.lease.Leases;
import dev.parley.coordination.task.Plan;
import dev.parley.coordination.task.TaskRules;
import dev.parley.coordination.task.Tasks;
import dev.parley.coordination.wait.DeclaredWait;
import dev.parley.coordination.wait.Target;
import dev.parley.coordination.wait.Wait;
import dev.parley.coordination.wait.Waits;
import dev.parley.core.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules that tie waits to their targets: a wait that would close a cycle is refused, and a wait
 * ends when its target is done, free or gone.
 */
final class WaitRules {
  private final FoldTime time;
  private final Leases leases;
  private final Tasks tasks;
  private final TaskRules taskRules;
  private final Waits waits;
  private final Boards boards;
  private final WaitGraph graph;
  private final LedgerSettings settings;

  /** How many leases had ended when the waits for paths were last checked. */
  private long endings;

  /** Whether a report, which can't be refused, may have closed a cycle. */
  private boolean mayHaveClosed;

  WaitRules(
      FoldTime time,
      Leases leases,
      Tasks tasks,
      TaskRules taskRules,
      Waits waits,
      Boards boards,
      WaitGraph graph,
      LedgerSettings settings) {
    this.time = time;
    this.leases = leases;
    this.tasks = tasks;
    this.taskRules = taskRules;
    this.waits = waits;
    this.boards = boards;
    this.graph = graph;
    this.settings = settings;
  }

  /** Notes that another tool reported a lease, which can close a cycle among waiters. */
  void leaseReported() {
    mayHaveClosed |= !leases.waiters().isEmpty();
  }

  /** Ends waits that are over. It checks only waits whose target has changed. */
  void pass() {
    if (endings != leases.endings()) {
      endings = leases.endings();
      waits.touch(Target.Kind.PATH);
    }
    tasks.whatEnded(id -> waits.touch(Target.Kind.TASK, id));
    boards.whatChanged(id -> waits.touch(Target.Kind.BOARD, id));
    boards.whatTurned(id -> mayHaveClosed |= graph.isInACircle(id));
    if (mayHaveClosed) {
      waits.touch(Target.Kind.BOARD);
      graph.changed();
    }
    waits.pass(
        time,
        wait -> {
          boolean over = graph.isOver(wait) || (mayHaveClosed && graph.isStuck(wait));
          if (over && mayHaveClosed) {
            graph.changed();
          }
          return over;
        });
    mayHaveClosed = false;
  }

  Outcome block(Request request) {
    Target target = graph.target(request.payload().text("on", ""));
    if (!graph.isKnown(target)) {
      return unknown(target);
    }
    Outcome tooComplex = graph.tooComplex(target, settings.limits());
    if (tooComplex != null) {
      return tooComplex;
    }
    Wait wait = Waits.of(request, target);
    return taskRules.block(request, target, () -> graph.cycle(wait.name(), graph.toward(wait)));
  }

  /** The cycle that adding a task would close, because agents already wait for it; null if none. */
  @Nullable List<String> cycleOfPlan(Plan plan) {
    if (tasks.dependents(plan.id()).isEmpty() && !waits.isForTask(plan.id())) {
      return null; // no wait leads to it
    }
    return graph.cycle(
        WaitGraph.node(plan.id()), plan.after().stream().map(WaitGraph::node).toList());
  }

  Outcome begin(Request request) {
    Target target = graph.target(request.payload().text("for", ""));
    boolean later = target.kind() == Target.Kind.TASK && request.payload().flag("later");
    if (!later && !graph.isKnown(target)) {
      return unknown(target);
    }
    Outcome tooComplex = graph.tooComplex(target, settings.limits());
    if (tooComplex != null) {
      return tooComplex;
    }
    Wait wait = Waits.of(request, target);
    if (graph.isOver(wait)) {
      return DeclaredWait.OVER;
    }
    Outcome refused = settings.limits().refusal(LedgerLimit.WAITS, waits.size() + 1L);
    if (refused != null) {
      return refused;
    }
    List<String> toward = graph.toward(wait);
    List<String> closed = graph.cycle(wait.name(), toward);
    if (closed != null && !wait.reported()) {
      return LeaseRules.wouldDeadlock(closed);
    }
    mayHaveClosed |= closed != null;
    return waits.begin(wait, toward);
  }

  private static Outcome unknown(Target target) {
    return Outcome.refused("unknown-target", Json.object().put("target", target.toString()));
  }
}
