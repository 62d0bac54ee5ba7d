package dev.parley.coordination.task;

import dev.parley.coordination.fold.LedgerLimit;
import dev.parley.coordination.fold.LedgerLimits;
import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.fold.Request;
import dev.parley.coordination.wait.Target;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides requests about tasks.
 *
 * <pre>
 * envelope       from               condition                       to
 * -------------  -----------------  ------------------------------  ------------------------------
 * task.add                          the name is new, what it        READY, if all it depends on is
 *                                     depends on is known (or         done; SKIPPED, if something
 *                                     "later"), no circle closes,     never will; else PENDING
 *                                     of tasks or of waits, there
 *                                     are not too many
 * task.claim     READY              no circle of waits closes; its  CLAIMED
 *                                     files are free (rules 3)
 *                CLAIMED, BLOCKED   it is one's own                 the claim one has
 * task.next      READY              the first for which the agent   CLAIMED
 *                                     has all the abilities, no
 *                                     circle of waits closes, and
 *                                     its files are free (rules 3)
 * task.progress  CLAIMED, BLOCKED   one's own                       CLAIMED; as it was, if it says
 *                                                                     only that one is still there
 * task.block     CLAIMED, BLOCKED   one's own, no circle closes,    BLOCKED
 *                                     on something that is known
 * task.done      CLAIMED, BLOCKED   one's own                       DONE; those that waited for
 *                                                                     nothing else become READY
 * task.fail      CLAIMED, BLOCKED   one's own                       FAILED; if it can't be tried
 *                                                                     again, those that depend on
 *                                                                     it are SKIPPED
 * task.release   CLAIMED, BLOCKED   one's own                       READY; it does not count as a
 *                                                                     try
 * task.retry     FAILED             recoverable, tries are left     READY
 * task.cancel    any but an end;    a reason is given               CANCELLED; those that depend
 *                FAILED, if it                                        on it are SKIPPED
 *                can be retried
 * the owner is   CLAIMED, BLOCKED                                   READY if tries are left, else
 *   silent or                                                         FAILED
 *   gone, or said
 *   nothing about
 *   the task for
 *   the claim's
 *   ttl
 * anything else                                                     refused
 * </pre>
 *
 * A claim leases the files of its task (rules 3). The envelope that ends the claim also ends its
 * owner's leases for the task.
 */
public final class TaskRules {
  private final Tasks tasks;

  public TaskRules(Tasks tasks) {
    this.tasks = tasks;
  }

  private static final int LONGEST_TEXT = 4_000;

  /**
   * Adds a task.
   *
   * @param bounds the limits of the ledger
   * @param cycle finds the cycle of waits that the task would close; null if none
   */
  public Outcome add(
      Request request, LedgerLimits bounds, Function<Plan, @Nullable List<String>> cycle) {
    Plan plan = Plan.read(request.payload());
    if (plan == null) {
      return Outcome.refused("bad-task");
    }
    Task there = tasks.task(plan.id());
    if (there != null) {
      return Outcome.refused(
          "task-exists", Json.object().put("task", plan.id()).put("state", there.state().word()));
    }
    Outcome refused = bounds.refusal(LedgerLimit.TASKS, tasks.open() + 1L);
    if (refused != null) {
      return refused;
    }
    List<String> unknown = plan.after().stream().filter(id -> !tasks.knows(id)).toList();
    if (!unknown.isEmpty() && !request.payload().flag("later")) {
      return Outcome.refused(
          "unknown-task",
          Json.object().put("task", plan.id()).put("missing", Json.ofStrings(unknown)));
    }
    List<String> circle = circle(plan);
    if (circle != null) {
      return Outcome.refused(
          "task-cycle", Json.object().put("task", plan.id()).put("cycle", Json.ofStrings(circle)));
    }
    List<String> closed = cycle.apply(plan);
    if (closed != null) {
      return wouldDeadlock(plan.id(), closed);
    }
    tasks.put(Task.added(plan, request.name(), request.position(), request.now()));
    if (settle(plan.id(), request.now())) {
      var _ = settleDependents(plan.id(), request.now());
    }
    return new AddedTask(plan.id(), state(plan.id()));
  }

  private TaskState state(String id) {
    Task task = tasks.task(id);
    return task == null ? TaskState.PENDING : task.state();
  }

  /** The cycle of dependencies that a new task would close; null if none. */
  private @Nullable List<String> circle(Plan plan) {
    if (tasks.dependents(plan.id()).isEmpty() && !plan.after().contains(plan.id())) {
      return null; // no dependency leads back to it
    }
    Map<String, String> cameFrom = new HashMap<>();
    Deque<String> open = new ArrayDeque<>();
    for (String id : plan.after()) {
      cameFrom.put(id, plan.id());
      open.add(id);
    }
    while (!open.isEmpty()) {
      String id = open.remove();
      if (id.equals(plan.id())) {
        List<String> way = new ArrayList<>(List.of(id));
        do {
          way.addFirst(Objects.requireNonNull(cameFrom.get(way.getFirst())));
        } while (!way.getFirst().equals(id));
        return way;
      }
      Task task = tasks.notDone(id); // a task that is done depends only on tasks that are done
      for (String next : task == null ? List.<String>of() : task.plan().after()) {
        if (cameFrom.putIfAbsent(next, id) == null) {
          open.add(next);
        }
      }
    }
    return null;
  }

  /** Moves a pending task to the state that its dependencies imply; false if it stays pending. */
  private boolean settle(String id, Instant now) {
    Task task = tasks.notDone(id);
    if (task == null || task.state() != TaskState.PENDING) {
      return false;
    }
    for (String before : task.plan().after()) {
      Task other = tasks.notDone(before); // a task that is done is not hopeless
      if (other != null && other.isHopeless()) {
        tasks.put(task.to(TaskState.SKIPPED, now, before + " is " + other.state().word()));
        return true;
      }
    }
    if (tasks.missing(task).isEmpty()) {
      tasks.put(task.to(TaskState.READY, now, null));
      return true;
    }
    return false;
  }

  /** Settles all direct and indirect dependents of a task; returns those that moved. */
  private List<String> settleDependents(String id, Instant now) {
    List<String> moved = new ArrayList<>();
    Deque<String> open = new ArrayDeque<>(tasks.dependents(id));
    while (!open.isEmpty()) {
      String next = open.remove();
      if (settle(next, now)) {
        moved.add(next);
        open.addAll(tasks.dependents(next));
      }
    }
    return moved;
  }

  /**
   * Gives a task to the requester.
   *
   * @param cycle finds the cycle of waits that the claim would close; null if none
   * @param files finds the refusal if others hold the task's files; null if they are free
   */
  public Outcome claim(
      Request request,
      Function<String, @Nullable List<String>> cycle,
      Function<Task, @Nullable Outcome> files) {
    Task task = tasks.task(request.payload().text("task", ""));
    if (task == null) {
      return unknown(request);
    }
    if (task.state().hasOwner() && request.session().equals(task.session())) {
      return claimed(task);
    }
    if (task.state() != TaskState.READY) {
      return notReady(task);
    }
    List<String> closed = cycle.apply(task.id());
    if (closed != null) {
      return Outcome.refused(
          "would-deadlock",
          Json.object()
              .put("task", task.id())
              .put("cycle", Json.ofStrings(closed))
              .put("by", "claim"));
    }
    Outcome held = files.apply(task);
    return held == null ? claimed(claim(task, request)) : held;
  }

  /**
   * Gives the next task to the requester.
   *
   * @param first the first task that the requester can do; null if there is none
   * @param held the tasks that were passed over because others hold their files
   */
  public Outcome next(Request request, @Nullable Task first, List<HeldTask> held) {
    if (first != null) {
      return claimed(claim(first, request));
    }
    return new Outcome.Refused("nothing-ready", tasks.nothing(held));
  }

  private Task claim(Task task, Request request) {
    Task claimed = task.claimed(Claim.of(request), request.now());
    tasks.put(claimed);
    return claimed;
  }

  /** Notes where the claim of a task holds the task's files. */
  public void holdsFiles(Task task, Claim.Files files) {
    tasks.put(task.holding(files));
  }

  private static Outcome claimed(Task task) {
    return ClaimedTask.of(task);
  }

  private Outcome notReady(Task task) {
    String owner = task.owner();
    if (task.state().hasOwner() && owner != null) {
      return Outcome.refused(
          "claimed",
          Json.object()
              .put("task", task.id())
              .put("owner", owner)
              .put("since", Timestamps.format(task.since())));
    }
    if (task.state() == TaskState.PENDING) {
      List<String> missing = tasks.missing(task);
      return Outcome.refused(
          "not-ready",
          Json.object().put("task", task.id()).put("waitsFor", Json.ofStrings(missing)));
    }
    return Outcome.refused(
        "over",
        Json.object().put("task", task.id()).put("state", task.state().word()).put("owner", owner));
  }

  private static Outcome unknown(Request request) {
    return Outcome.refused(
        "unknown-task", Json.object().put("task", request.payload().text("task", "")));
  }

  public Outcome progress(Request request) {
    Task task = own(request);
    if (task == null) {
      return notOwn(request);
    }
    if (request.payload().flag("alive")) {
      tasks.put(task.heard(request.now()));
      return Outcome.accepted(Json.object().put("task", task.id()));
    }
    int percent =
        Math.clamp(request.payload().number("progress", task.claim().progress()), -1, 100);
    tasks.put(
        task.goesOn(
            TaskState.CLAIMED,
            task.claim().at(percent, request.now()),
            cut(request.text("note")),
            request.now()));
    return Outcome.accepted(Json.object().put("task", task.id()).put("progress", percent));
  }

  /**
   * Notes that a task's owner can't go on.
   *
   * @param target what it waits for
   * @param cycle finds the cycle that its wait would close; null if none
   */
  public Outcome block(Request request, Target target, Supplier<@Nullable List<String>> cycle) {
    Task task = own(request);
    if (task == null) {
      return notOwn(request);
    }
    String on = request.payload().text("on", "");
    if (on.isBlank() || on.length() > LONGEST_TEXT) {
      return Outcome.refused("no-cause");
    }
    List<String> closed = cycle.get();
    if (closed != null) {
      return wouldDeadlock(task.id(), closed);
    }
    Claim.Block block =
        new Claim.Block(on, target, request.payload().text("tree", ""), request.position());
    tasks.put(
        task.goesOn(
            TaskState.BLOCKED,
            task.claim().blocked(block, request.now()),
            cut(request.text("note")),
            request.now()));
    return Outcome.accepted(Json.object().put("task", task.id()).put("on", on));
  }

  private static Outcome wouldDeadlock(String task, List<String> closed) {
    return Outcome.refused(
        "would-deadlock", Json.object().put("task", task).put("cycle", Json.ofStrings(closed)));
  }

  public Outcome done(Request request) {
    Task task = own(request);
    if (task == null) {
      return notOwn(request);
    }
    Task.Result result =
        new Task.Result(
            cut(request.text("commit")),
            request.payload().texts("files").stream().limit(Plan.MOST_ITEMS).toList());
    tasks.put(task.done(result, cut(request.text("note")), request.now()));
    return new DoneTask(task.id(), settleDependents(task.id(), request.now()));
  }

  public Outcome fail(Request request) {
    Task task = own(request);
    if (task == null) {
      return notOwn(request);
    }
    List<String> skipped =
        fail(
            task, cut(request.text("error")), request.payload().flag("recoverable"), request.now());
    Task failed = Objects.requireNonNull(tasks.notDone(task.id()));
    return new FailedTask(task.id(), failed.canBeRetried(), skipped);
  }

  private List<String> fail(Task task, @Nullable String why, boolean recoverable, Instant now) {
    tasks.put(task.failed(why, recoverable, now));
    return settleDependents(task.id(), now);
  }

  public Outcome release(Request request) {
    Task task = own(request);
    if (task == null) {
      return notOwn(request);
    }
    tasks.put(task.givenBack(request.now(), cut(request.text("note"))));
    return Outcome.accepted(Json.object().put("task", task.id()).put("state", "ready"));
  }

  public Outcome retry(Request request) {
    Task task = tasks.task(request.payload().text("task", ""));
    if (task == null) {
      return unknown(request);
    }
    if (!task.canBeRetried()) {
      return Outcome.refused(
          "no-retry",
          Json.object()
              .put("task", task.id())
              .put("state", task.state().word())
              .put("recoverable", task.recoverable())
              .put("tried", task.tried()));
    }
    tasks.put(task.to(TaskState.READY, request.now(), task.note()));
    return Outcome.accepted(Json.object().put("task", task.id()).put("tried", task.tried()));
  }

  public Outcome cancel(Request request) {
    Task task = tasks.task(request.payload().text("task", ""));
    if (task == null) {
      return unknown(request);
    }
    String reason = cut(request.text("reason"));
    if (task.state().isOver() && !task.canBeRetried()) {
      return notReady(task);
    }
    if (reason == null || reason.isBlank()) {
      return Outcome.refused("no-reason", Json.object().put("what", "task"));
    }
    tasks.put(task.to(TaskState.CANCELLED, request.now(), reason));
    return new CancelledTask(task.id(), task.owner(), settleDependents(task.id(), request.now()));
  }

  /** Cancels a task, because the line that added it is undone. */
  public void undo(Task task, String reason, Instant now) {
    tasks.put(task.to(TaskState.CANCELLED, now, cut(reason)));
    var _ = settleDependents(task.id(), now);
  }

  /**
   * Makes a task ready again, because the line that claimed it is undone. That claim counts as no
   * try.
   */
  public void undoClaim(Task task, String reason, Instant now) {
    tasks.put(task.givenBack(now, cut(reason)));
  }

  /** Ends the claim of a session that is silent or gone. */
  public void giveBack(Task task, String why, Instant now) {
    if (task.tried() < task.plan().tries()) {
      tasks.put(task.to(TaskState.READY, now, why));
    } else {
      var _ = fail(task, why, true, now);
    }
  }

  private @Nullable Task own(Request request) {
    Task task = tasks.task(request.payload().text("task", ""));
    boolean own =
        task != null
            && request.session().equals(task.session())
            && request.payload().number("token", task.claim().token()) == task.claim().token();
    return own ? task : null;
  }

  private Outcome notOwn(Request request) {
    Task task = tasks.task(request.payload().text("task", ""));
    if (task == null) {
      return unknown(request);
    }
    return Outcome.refused(
        "not-yours",
        Json.object()
            .put("task", task.id())
            .put("state", task.state().word())
            .put("owner", task.owner()));
  }

  /** Cuts a text from an agent, because every view stores it. */
  private static @Nullable String cut(@Nullable String text) {
    return text == null || text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT);
  }
}
