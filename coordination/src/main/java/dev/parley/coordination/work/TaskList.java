package dev.parley.coordination.work;

import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.lease.Grant;
import dev.parley.coordination.lease.LeaseScope;
import dev.parley.coordination.lease.LeaseTerms;
import dev.parley.coordination.ledger.Claimant;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.LedgerOwner;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.task.AddedTask;
import dev.parley.coordination.task.CancelledTask;
import dev.parley.coordination.task.Claim;
import dev.parley.coordination.task.ClaimedTask;
import dev.parley.coordination.task.DoneTask;
import dev.parley.coordination.task.FailedTask;
import dev.parley.coordination.task.HeldTask;
import dev.parley.coordination.task.Plan;
import dev.parley.coordination.task.Task;
import dev.parley.coordination.task.TaskState;
import dev.parley.coordination.task.TaskTypes;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Adds tasks, claims them for a session, and reports their progress. Every answer is the decision
 * at the line of the request: if several agents claim a task at once, one gets it.
 *
 * <p>Safe for use by many threads.
 */
public final class TaskList {
  private final Session session;
  private final LedgerOwner owner;
  private final ExternalLockTables tables;

  /** The claim that this list works on; 0 for whichever claim the session has. */
  private final long token;

  /**
   * @param tables the lock tables of other tools, which must hold a task's files before it is
   *     claimed
   */
  public TaskList(Session session, LedgerOwner owner, ExternalLockTables tables) {
    this(session, owner, tables, 0);
  }

  private TaskList(Session session, LedgerOwner owner, ExternalLockTables tables, long token) {
    this.session = session;
    this.owner = owner;
    this.tables = tables;
    this.token = token;
  }

  /**
   * The same for one claim only. Its requests are refused once that claim is over, even if the
   * session has claimed the task again.
   */
  TaskList holding(Claimed claimed) {
    return new TaskList(session, owner, tables, claimed.token());
  }

  /**
   * A task that this session has claimed.
   *
   * @param token the fencing token of the claim
   * @param until when the claim ends unless its owner writes something; null if not known
   * @param files the paths that the claim leased
   * @param held the tasks that would have come first, but others hold their files
   */
  public record Claimed(
      String task,
      String title,
      long token,
      @Nullable Instant until,
      List<String> files,
      List<HeldTask> held) {}

  /**
   * The terms of a claim.
   *
   * @param can abilities beside those that the session joined with
   * @param ttl how long the owner may write nothing about the task; null if any sign of life will
   *     do
   * @param tree the working tree of the owner
   * @param cover the working trees in which it needs the task's files; null for the bus's setting
   * @param takesFiles whether the claim leases the task's files
   */
  public record Terms(
      List<String> can,
      @Nullable Duration ttl,
      String tree,
      @Nullable LeaseScope cover,
      boolean takesFiles) {
    public static final Terms NONE = new Terms(List.of(), null);

    public Terms {
      if (ttl != null) {
        var _ = LockRequest.check("ttl", ttl, Claim.LEAST_TTL, Claim.MOST_TTL);
      }
    }

    public Terms(List<String> can, @Nullable Duration ttl) {
      this(can, ttl, "", null, true);
    }

    /** The same for a working tree and a cover; null for the bus's setting. */
    public Terms in(String where, @Nullable LeaseScope trees) {
      return new Terms(can, ttl, where, trees, takesFiles);
    }

    public Terms takingFiles(boolean yes) {
      return new Terms(can, ttl, tree, cover, yes);
    }

    Claimant of(Session session) {
      return new Claimant(session.name(), session.id(), can, tree, cover, takesFiles);
    }

    Json.ObjectBuilder write(Session session) {
      Json.ObjectBuilder json = of(session).write();
      return ttl == null ? json : json.put("ttl", ttl.toSeconds());
    }
  }

  /**
   * Adds a task.
   *
   * @param later whether it may depend on tasks that will be added later
   * @return its state: ready or pending
   * @throws RefusedException if there is a task of this name, or it would depend on itself
   */
  public String add(Plan plan, boolean later) {
    Plan.checkId(plan.id());
    plan.after().forEach(Plan::checkId);
    Json.ObjectBuilder payload = plan.write();
    if (later) {
      payload.put("later", true);
    }
    return ((AddedTask) ask(TaskTypes.ADD, payload)).state().word();
  }

  /**
   * Claims a task, and leases its files for as long as the claim lasts.
   *
   * @throws RefusedException if another agent has it, it is not ready, or others hold its files
   */
  public Claimed claim(String task, Terms terms) {
    List<String> files = tables.equals(ExternalLockTables.NONE) ? List.of() : files(task, terms);
    return files.isEmpty() ? ask(task, terms) : claimBesideLists(task, terms, files);
  }

  private Claimed ask(String task, Terms terms) {
    return claimed(TaskTypes.CLAIM, terms.write(session).put("task", task));
  }

  private List<String> files(String task, Terms terms) {
    return owner.look(ledger -> {
      Task there = terms.takesFiles() ? ledger.tasks().task(task) : null;
      return there == null || there.state() != TaskState.READY
          ? List.<String>of()
          : there.plan().files();
    });
  }

  /** Puts the files into the tables of other tools, then claims the task. */
  private Claimed claimBesideLists(String task, Terms terms, List<String> files) {
    Locks locks = new Locks(session, owner, tables);
    LockRequest wanted =
        new LockRequest(files, false, terms.tree(), terms.cover(), LeaseTerms.MOST_TTL, task);
    return claimHolding(task, terms.takingFiles(false), locks, locks.lock(wanted));
  }

  private Claimed claimHolding(String task, Terms terms, Locks locks, @Nullable Grant grant) {
    try {
      Claimed claimed = ask(task, terms);
      return grant == null || terms.takesFiles()
          ? claimed
          : new Claimed(
              task, claimed.title(), claimed.token(), claimed.until(), grant.paths(), List.of());
    } catch (RuntimeException e) {
      if (grant != null && !grant.isReentered()) {
        giveBack(locks, grant, e);
      }
      throw e;
    }
  }

  private static void giveBack(Locks locks, Grant grant, RuntimeException why) {
    try {
      locks.release(grant.token());
    } catch (ParleyException e) {
      why.addSuppressed(e); // it has ended already
    }
  }

  /**
   * The same, but waits in the queue if others hold the task's files, for as long as the task is
   * ready.
   *
   * @throws RefusedException also if waiting would close a cycle, or the time is over
   */
  public Claimed claim(String task, Terms terms, Duration wait) throws InterruptedException {
    try {
      return claim(task, terms);
    } catch (RefusedException e) {
      if (wait.isZero() || !e.code().equals(HELD)) {
        throw e;
      }
    }
    Locks locks = new Locks(session, owner, tables);
    LockRequest wanted =
        new LockRequest(
            files(task, terms), false, terms.tree(), terms.cover(), untilClaimed(), task);
    Grant grant = locks.lockWhile(wanted, wait, ledger -> isReady(ledger, task));
    // Once the claim is there, what the session holds for the task lasts as long as the claim.
    return claimHolding(
        task, terms.takingFiles(tables.equals(ExternalLockTables.NONE)), locks, grant);
  }

  /**
   * How long to lease paths before a claim takes them over. Other tools' tables hear nothing of the
   * claim, so there the lease must last as long as possible.
   */
  Duration untilClaimed() {
    return tables.equals(ExternalLockTables.NONE) ? BETWEEN : LeaseTerms.MOST_TTL;
  }

  private static boolean isReady(Ledger ledger, String id) {
    Task task = ledger.tasks().task(id);
    return task != null && task.state() == TaskState.READY;
  }

  /** The code of a refusal when other agents hold the paths. */
  private static final String HELD = "held";

  private static final String NOTHING_READY = "nothing-ready";

  /** How long paths stay leased between getting them and claiming the task. */
  private static final Duration BETWEEN = Duration.ofMinutes(2);

  /**
   * Claims the first task that is ready, that this agent is able to do, and whose files are free.
   *
   * @throws RefusedException if there is none ({@code nothing-ready})
   */
  public Claimed next(Terms terms) {
    return tables.equals(ExternalLockTables.NONE) || !terms.takesFiles()
        ? claimed(TaskTypes.NEXT, terms.write(session))
        : nextBesideLists(terms);
  }

  /**
   * Finds a task, locks its files and claims it. If another agent was faster, tries the next task.
   */
  private Claimed nextBesideLists(Terms terms) {
    Set<String> lost = new HashSet<>();
    while (true) {
      List<HeldTask> held = new ArrayList<>();
      String task =
          owner.look(ledger -> {
            held.clear();
            Task first = ledger.nextFor(terms.of(session), lost, held);
            return first == null ? "" : first.id();
          });
      if (task.isEmpty()) {
        throw new RefusedException(
            new Outcome.Refused(
                NOTHING_READY, owner.lookAtLastKnown(ledger -> ledger.tasks().nothing(held))));
      }
      try {
        Claimed claimed = claim(task, terms);
        return new Claimed(
            task, claimed.title(), claimed.token(), claimed.until(), claimed.files(), held);
      } catch (RefusedException e) {
        lost.add(task);
      }
    }
  }

  /** The same, but waits for a task to become ready; null if the time is over. */
  public @Nullable Claimed next(Terms terms, Duration atMost) throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    while (true) {
      try {
        return next(terms);
      } catch (RefusedException e) {
        Duration left = Duration.ofNanos(end - System.nanoTime());
        boolean nothing = e.code().equals(NOTHING_READY);
        if (!nothing || owner.await(session, left, new Ready(terms.of(session))) == null) {
          if (nothing) {
            return null;
          }
          throw e;
        }
      }
    }
  }

  /** Waits for a task that the claimant is able to do. */
  record Ready(Claimant who) implements LedgerOwner.Awaited<Task> {
    @Override
    public @Nullable Task answer(Ledger ledger) {
      return ledger.nextFor(who, Set.of(), new ArrayList<>());
    }

    /** When a claim or lease may end because its owner writes nothing. */
    @Override
    public @Nullable Instant next(Ledger ledger) {
      Instant claim = ledger.nextEndOfAClaim();
      Instant lease = who.takesFiles() ? ledger.leases().firstEnd() : null;
      return claim == null || (lease != null && lease.isBefore(claim)) ? lease : claim;
    }
  }

  private Claimed claimed(String type, Json.ObjectBuilder payload) {
    ClaimedTask answer = (ClaimedTask) ask(type, payload);
    return new Claimed(
        answer.task(),
        answer.title(),
        answer.token(),
        answer.until(),
        answer.files() == null ? List.of() : answer.files(),
        answer.held());
  }

  /**
   * Reports the progress of a task.
   *
   * @param percent 0 to 100; null keeps the earlier value
   * @throws RefusedException if this session does not have the claim (any more); the methods below
   *     throw the same
   */
  public void progress(String task, @Nullable Integer percent, @Nullable String note) {
    Json.ObjectBuilder payload = named(task, "note", note);
    if (percent != null) {
      payload.put("progress", percent);
    }
    var _ = ask(TaskTypes.PROGRESS, payload);
  }

  /** Says only that the owner still works on a task; its last note and percentage stay. */
  public void alive(String task) {
    var _ = ask(TaskTypes.PROGRESS, named(task, "note", null).put("alive", true));
  }

  /** Declares a block whose path, if it is one, is meant in any working tree. */
  public void block(String task, String on, @Nullable String note) {
    block(task, on, "", note);
  }

  /**
   * Declares that the owner can't go on with a task.
   *
   * @param on an agent, a task, a path, or FILE_UNLOCK_ and a path
   * @param tree the working tree of a path
   */
  public void block(String task, String on, String tree, @Nullable String note) {
    Json.ObjectBuilder payload = named(task, "note", note).put("on", on);
    if (!tree.isEmpty()) {
      payload.put("tree", tree);
    }
    var _ = ask(TaskTypes.BLOCK, payload);
  }

  /**
   * Ends a task as done, with the owner's leases for it.
   *
   * @return the tasks that are ready now because of it
   */
  public List<String> done(
      String task, @Nullable String commit, List<String> files, @Nullable String note) {
    Json.ObjectBuilder payload = named(task, "note", note);
    if (commit != null) {
      payload.put("commit", commit);
    }
    if (!files.isEmpty()) {
      payload.put("files", Json.ofStrings(files));
    }
    return ((DoneTask) ask(TaskTypes.DONE, payload)).unblocks();
  }

  /** Ends a task as failed, with the owner's leases for it. */
  public FailedTask fail(String task, String error, boolean recoverable) {
    Json.ObjectBuilder payload = named(task, "error", error);
    return (FailedTask) ask(TaskTypes.FAIL, payload.put("recoverable", recoverable));
  }

  /** Gives a task back for others to claim. */
  public void release(String task, @Nullable String note) {
    var _ = ask(TaskTypes.RELEASE, named(task, "note", note));
  }

  /** Makes a failed task ready again. */
  public void retry(String task) {
    var _ = ask(TaskTypes.RETRY, named(task, "note", null));
  }

  /**
   * Cancels a task.
   *
   * @return the tasks that won't be done because of it
   */
  public List<String> cancel(String task, String reason) {
    return ((CancelledTask) ask(TaskTypes.CANCEL, named(task, "reason", reason))).skips();
  }

  private Outcome.Accepted ask(String type, Json.ObjectBuilder payload) {
    return RefusedException.check(owner.ask(session, type, payload));
  }

  private Json.ObjectBuilder named(String task, String key, @Nullable String text) {
    Json.ObjectBuilder json = Json.object().put("task", task);
    if (token != 0) {
      json.put("token", token);
    }
    return text == null ? json : json.put(key, text);
  }
}
