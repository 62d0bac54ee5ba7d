package dev.parley.coordination.work;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.lease.Cover;
import dev.parley.coordination.lease.Grant;
import dev.parley.coordination.lease.LeaseTerms;
import dev.parley.coordination.ledger.Claimant;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.LedgerOwner;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.task.Claim;
import dev.parley.coordination.task.ClaimedTask;
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
 * Adds tasks, claims them for a session and says how they go. Every answer is what the order of the
 * ledger made of the request: of several who claim a task at once, one has it.
 *
 * <p>Safe for use by many threads.
 */
public final class TaskList {
  private final Session session;
  private final LedgerOwner owner;
  private final ExternalLockTables tables;

  /** The claim that is meant; 0 for whichever the session has. */
  private final long token;

  /**
   * @param tables the lock tables of other tools in which a task's files must stand before it is
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
   * The same for one claim alone: refused once that is over, also if the session has claimed the
   * task again.
   */
  TaskList holding(Claimed claimed) {
    return new TaskList(session, owner, tables, claimed.token());
  }

  /**
   * A task that is one's own.
   *
   * @param token what shows that it is this claim
   * @param until when the claim ends unless something is heard of its owner; null if not known
   * @param files the paths that were taken with it
   * @param held tasks that would have come first, but others hold their files
   */
  public record Claimed(
      String task,
      String title,
      long token,
      @Nullable Instant until,
      List<String> files,
      List<Held> held) {}

  /**
   * A task whose files others hold.
   *
   * @param holder one of them
   * @param paths what that one holds
   */
  public record Held(String task, String holder, List<String> paths) {
    /** Those that an answer or a refusal names. */
    public static List<Held> in(Fields answer) {
      return of(answer.items("held"));
    }

    private static List<Held> of(List<Json> items) {
      return items.stream()
          .map(Fields::of)
          .map(one -> new Held(one.text("task", ""), one.text("holder", ""), one.texts("paths")))
          .toList();
    }
  }

  /**
   * How a claim is to be.
   *
   * @param can abilities beside those that the session joined with
   * @param ttl how long one may say nothing about the task; null if any sign of life will do
   * @param tree the working tree that one works in
   * @param cover in which working trees one needs the task's files; null for where the bus says
   * @param takesFiles whether the task's files are to be one's own as long as the claim lasts
   */
  public record Terms(
      List<String> can,
      @Nullable Duration ttl,
      String tree,
      @Nullable Cover cover,
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

    /** In a working tree, or as the bus says. */
    public Terms in(String where, @Nullable Cover trees) {
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
   * @throws RefusedException if there is one of this name, or it would depend on itself
   */
  public String add(Plan plan, boolean later) {
    Plan.checkId(plan.id());
    plan.after().forEach(Plan::checkId);
    Json.ObjectBuilder payload = plan.write();
    if (later) {
      payload.put("later", true);
    }
    return ask(TaskTypes.ADD, payload).text("state", "");
  }

  /**
   * Claims a task, and takes its files for as long as the claim lasts.
   *
   * @throws RefusedException if another has it, it is not ready, or others hold its files
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

  /** The files stand in the lists of other tools before the claim is asked for. */
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
   * As the other, waiting in line for the task's files if others hold them, as long as it can be
   * claimed.
   *
   * @throws RefusedException also if waiting would close a circle, or the time is over
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
    // What is held for the task lasts as long as the claim, once that is there.
    return claimHolding(
        task, terms.takingFiles(tables.equals(ExternalLockTables.NONE)), locks, grant);
  }

  /**
   * How long paths are taken for that a claim is to go on with. Lists of other tools hear nothing
   * of that claim, so there they are taken for as long as can be.
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

  /** How long paths are held that one has waited for until one has claimed the task. */
  private static final Duration BETWEEN = Duration.ofMinutes(2);

  /**
   * Claims the first task that is ready, that the session is able to do, and whose files are free.
   *
   * @throws RefusedException if there is none ({@code nothing-ready})
   */
  public Claimed next(Terms terms) {
    return tables.equals(ExternalLockTables.NONE) || !terms.takesFiles()
        ? claimed(TaskTypes.NEXT, terms.write(session))
        : nextBesideLists(terms);
  }

  /** Looks, locks, claims; what others were faster with is passed over. */
  private Claimed nextBesideLists(Terms terms) {
    Set<String> lost = new HashSet<>();
    while (true) {
      List<Json> held = new ArrayList<>();
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
        List<Held> before = Held.of(held);
        return new Claimed(
            task, claimed.title(), claimed.token(), claimed.until(), claimed.files(), before);
      } catch (RefusedException e) {
        lost.add(task);
      }
    }
  }

  /** As the other, waiting for a task to become ready; null if the time is over. */
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

    /** When a claim or a lease ends whose owner says nothing any more. */
    @Override
    public @Nullable Instant next(Ledger ledger) {
      Instant claim = ledger.nextEndOfAClaim();
      Instant lease = who.takesFiles() ? ledger.leases().firstEnd() : null;
      return claim == null || (lease != null && lease.isBefore(claim)) ? lease : claim;
    }
  }

  private Claimed claimed(String type, Json.ObjectBuilder payload) {
    ClaimedTask answer = (ClaimedTask) RefusedException.check(owner.ask(session, type, payload));
    return new Claimed(
        answer.task(),
        answer.title(),
        answer.token(),
        answer.until(),
        answer.files() == null ? List.of() : answer.files(),
        Held.of(answer.held()));
  }

  /**
   * Says how far a task is.
   *
   * @param percent 0 to 100; null leaves as it was
   * @throws RefusedException if it is not one's own (any more); so do all that follow
   */
  public void progress(String task, @Nullable Integer percent, @Nullable String note) {
    Json.ObjectBuilder payload = named(task, "note", note);
    if (percent != null) {
      payload.put("progress", percent);
    }
    var _ = ask(TaskTypes.PROGRESS, payload);
  }

  /** Says that one is still at a task, and nothing else: what was said last still holds. */
  public void alive(String task) {
    var _ = ask(TaskTypes.PROGRESS, named(task, "note", null).put("alive", true));
  }

  /** As the other, wherever a path may be held. */
  public void block(String task, String on, @Nullable String note) {
    block(task, on, "", note);
  }

  /**
   * Says that one can't go on with a task.
   *
   * @param on an agent, a task, a path, or FILE_UNLOCK_ and a path
   * @param tree the working tree that a path is meant in
   */
  public void block(String task, String on, String tree, @Nullable String note) {
    Json.ObjectBuilder payload = named(task, "note", note).put("on", on);
    if (!tree.isEmpty()) {
      payload.put("tree", tree);
    }
    var _ = ask(TaskTypes.BLOCK, payload);
  }

  /**
   * Says that a task is done; the leases that one has for it end.
   *
   * @return the tasks that can be done now
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
    return ask(TaskTypes.DONE, payload).texts("unblocks");
  }

  /**
   * What a failure leads to.
   *
   * @param retry whether it may be tried again
   * @param skips the tasks that won't be done because of it
   */
  public record Failed(boolean retry, List<String> skips) {}

  /** Says that a task failed; the leases that one has for it end. */
  public Failed fail(String task, String error, boolean recoverable) {
    Json.ObjectBuilder payload = named(task, "error", error);
    Fields answer = ask(TaskTypes.FAIL, payload.put("recoverable", recoverable));
    return new Failed(answer.flag("retry"), answer.texts("skips"));
  }

  /** Gives a task back for others to claim. */
  public void release(String task, @Nullable String note) {
    var _ = ask(TaskTypes.RELEASE, named(task, "note", note));
  }

  /** Makes a task that failed ready once more. */
  public void retry(String task) {
    var _ = ask(TaskTypes.RETRY, named(task, "note", null));
  }

  /**
   * Says that a task won't be done.
   *
   * @return the tasks that won't be done because of it
   */
  public List<String> cancel(String task, String reason) {
    return ask(TaskTypes.CANCEL, named(task, "reason", reason)).texts("skips");
  }

  private Fields ask(String type, Json.ObjectBuilder payload) {
    return RefusedException.accepted(owner.ask(session, type, payload));
  }

  private Json.ObjectBuilder named(String task, String key, @Nullable String text) {
    Json.ObjectBuilder json = Json.object().put("task", task);
    if (token != 0) {
      json.put("token", token);
    }
    return text == null ? json : json.put(key, text);
  }
}
