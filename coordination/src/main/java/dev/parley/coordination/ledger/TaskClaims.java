package dev.parley.coordination.ledger;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.FoldTime;
import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.fold.Request;
import dev.parley.coordination.lease.ClaimedFiles;
import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.lease.LeaseRules;
import dev.parley.coordination.lease.LeaseTerms;
import dev.parley.coordination.lease.Leases;
import dev.parley.coordination.path.PathPattern;
import dev.parley.coordination.roster.Member;
import dev.parley.coordination.roster.Roster;
import dev.parley.coordination.task.Claim;
import dev.parley.coordination.task.ClaimedTask;
import dev.parley.coordination.task.HeldTask;
import dev.parley.coordination.task.Task;
import dev.parley.coordination.task.TaskRules;
import dev.parley.coordination.task.Tasks;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules that tie a claimed task to its owner and its files: a claim leases the task's files,
 * ends when its owner is silent for too long, and releases the files when it ends.
 *
 * <p>It has no state that must be saved: everything is in the tasks, the leases and the roster.
 */
final class TaskClaims {
  /**
   * How many tasks with held files one {@code task.next} looks at, so that no line folds slowly.
   */
  private static final int MOST_LOOKED_AT = 1_000;

  /** How many tasks with held files the answer names. */
  private static final int MOST_NAMED = 16;

  private final FoldTime time;
  private final Roster roster;
  private final Leases leases;
  private final LeaseRules leaseRules;
  private final Tasks tasks;
  private final TaskRules taskRules;
  private final WaitGraph graph;
  private final LedgerSettings settings;

  /**
   * The earliest time at which an owner can have been silent for too long; avoids scanning all
   * owners on every line. Null if not known. A cache: dropping it changes nothing.
   */
  private @Nullable Instant nobodySilentBefore;

  TaskClaims(
      FoldTime time,
      Roster roster,
      Leases leases,
      LeaseRules leaseRules,
      Tasks tasks,
      TaskRules taskRules,
      WaitGraph graph,
      LedgerSettings settings) {
    this.time = time;
    this.roster = roster;
    this.leases = leases;
    this.leaseRules = leaseRules;
    this.tasks = tasks;
    this.taskRules = taskRules;
    this.graph = graph;
    this.settings = settings;
  }

  /** Drops that cache, because times or limits have changed. */
  void forgetSilence() {
    nobodySilentBefore = null;
  }

  /** Ends the claims that are over by now. */
  void pass(Instant now) {
    if (nobodySilentBefore == null || time.isAtOrAfter(nobodySilentBefore)) {
      endSilent(now);
    }
    for (Task task : tasks.over(time)) {
      giveBack(task, task.owner() + " said nothing about it for too long", now);
    }
  }

  private void endSilent(Instant now) {
    Duration silence = settings.claimAfter();
    Instant earliest = now.plus(silence);
    for (String session : tasks.owners()) {
      String name = tasks.of(session).getFirst().owner();
      Member owner = name == null ? null : roster.member(name);
      if (owner == null) {
        continue;
      }
      Instant silent = owner.heard().plus(silence);
      if (time.isAtOrAfter(silent)) {
        endAll(session, name + " was silent for too long", now);
      } else if (silent.isBefore(earliest)) {
        earliest = silent;
      }
    }
    // A time that is not sure may turn out to be too far ahead, so it is not cached.
    nobodySilentBefore = time.isAtOrAfter(now) ? earliest : null;
  }

  void endAll(String session, String why, Instant now) {
    List<Task> own = tasks.of(session);
    own.forEach(task -> taskRules.giveBack(task, why, now));
    own.forEach(task -> leases.endTask(session, task.id()));
  }

  private void giveBack(Task task, String why, Instant now) {
    String session = task.session();
    taskRules.giveBack(task, why, now);
    if (session != null) {
      leases.endTask(session, task.id());
    }
  }

  Outcome claim(Request request) {
    Claimant who = Claimant.of(request);
    Outcome outcome =
        taskRules.claim(
            request,
            task -> graph.cycleOfClaim(request.name(), task),
            task -> refusalOfFiles(who, task));
    return withFiles(request, who, outcome, List.of());
  }

  Outcome next(Request request) {
    Claimant who = Claimant.of(request);
    List<HeldTask> held = new ArrayList<>();
    Task first = nextFor(who, Set.of(), held);
    return withFiles(request, who, taskRules.next(request, first, held), held);
  }

  /**
   * The task that an agent would get now; null if there is none for it.
   *
   * @param but tasks to pass over
   * @param held receives the tasks that were passed over because others hold their files
   */
  @Nullable Task nextFor(Claimant who, Set<String> but, List<HeldTask> held) {
    Member member = roster.member(who.name());
    List<String> abilities = new ArrayList<>(who.can());
    abilities.addAll(member == null ? List.of() : member.can());
    int looked = 0;
    for (Task task : tasks.ready()) {
      if (but.contains(task.id())
          || !abilities.containsAll(task.plan().needs())
          || graph.cycleOfClaim(who.name(), task.id()) != null) {
        continue;
      }
      Outcome refusal = refusalOfFiles(who, task);
      if (refusal == null) {
        return task;
      }
      if (held.size() < MOST_NAMED && refusal instanceof Outcome.Refused refused) {
        held.add(held(task, refused));
      }
      if (++looked == MOST_LOOKED_AT) {
        break; // so that no line takes long to fold
      }
    }
    return null;
  }

  private static HeldTask held(Task task, Outcome.Refused why) {
    Fields details = Fields.of(why.details());
    return new HeldTask(task.id(), why.code(), details.text("holder", ""), details.texts("paths"));
  }

  /** The refusal of a claim whose files others hold; null if they are free. */
  private @Nullable Outcome refusalOfFiles(Claimant who, Task task) {
    LeaseTerms files = settings.areOfDailyUse() ? who.files(task, settings.cover()) : null;
    if (files == null) {
      return null;
    }
    if (!LeaseTerms.isFit(files.paths())) {
      return Outcome.refused("bad-paths", Json.object().put("task", task.id()));
    }
    Outcome refused = leaseRules.refusalOfClaim(files, settings.limits());
    return refused instanceof Outcome.Refused why
        ? Outcome.refused(why.code(), copy(why.details()).put("forTask", task.id()))
        : refused;
  }

  /**
   * Leases the files of a task that was just claimed, and adds the end of the claim to the outcome.
   */
  private Outcome withFiles(Request request, Claimant who, Outcome outcome, List<HeldTask> held) {
    if (!settings.areOfDailyUse() || !(outcome instanceof ClaimedTask claimed)) {
      return outcome;
    }
    Task task = tasks.task(claimed.task());
    if (task == null) {
      return outcome;
    }
    LeaseTerms files = who.files(task, settings.cover());
    boolean begins = task.claim().token() == request.position();
    if (begins && who.takesFiles()) {
      leaseRules.keepForClaim(request.session(), task.id(), request.now());
    }
    List<String> taken = null;
    if (begins && files != null) {
      taskRules.holdsFiles(task, new Claim.Files(files.tree(), files.repo()));
      leaseRules.takeForClaim(request.position(), files, request.now());
      taken = files.paths().stream().map(PathPattern::toString).toList();
    }
    return claimed.with(taken, endOfClaim(task), held);
  }

  /**
   * What the live claims of a session need of one of its leases, and hold by no other.
   *
   * @param but the task whose claim gives its files up; null if none does
   * @param taken what another tool takes, so that no claim can keep it; null if none does
   */
  @Nullable ClaimedFiles filesOf(Lease lease, @Nullable String but, @Nullable LeaseTerms taken) {
    if (!settings.keepClaimedFiles()) {
      return null;
    }
    String first = null;
    Set<PathPattern> paths = new LinkedHashSet<>();
    for (Task task : tasks.of(lease.terms().session())) {
      LeaseTerms files = task.id().equals(but) ? null : Claimant.filesOf(task);
      if (files == null) {
        continue;
      }
      for (PathPattern path : files.paths()) {
        boolean lost = taken != null && taken.touches(path);
        if (!lost
            && lease.terms().suffices(files, path)
            && !leases.isHeldBeside(lease, files, path)) {
          first = first == null ? task.id() : first;
          paths.add(path);
        }
      }
    }
    return first == null ? null : new ClaimedFiles(first, List.copyOf(paths));
  }

  private static Json.ObjectBuilder copy(Json object) {
    Json.ObjectBuilder copy = Json.object();
    object.fields().forEach(copy::put);
    return copy;
  }

  /** Ends the owner's leases for a task whose claim has ended. */
  Outcome ending(Request request, Outcome outcome) {
    if (outcome.isAccepted()) {
      leases.endTask(request.session(), request.payload().text("task", ""));
    }
    return outcome;
  }

  Outcome cancel(Request request) {
    String id = request.payload().text("task", "");
    Task before = tasks.task(id);
    Outcome outcome = taskRules.cancel(request);
    String session = before == null ? null : before.session();
    if (outcome.isAccepted() && session != null) {
      leases.endTask(session, id);
    }
    return outcome;
  }

  void endLeases(@Nullable String session, String task) {
    if (session != null) {
      leases.endTask(session, task);
    }
  }

  /** When the next claim ends unless its owner writes something; null if there is no claim. */
  @Nullable Instant nextEnd() {
    Instant next = null;
    for (String session : tasks.owners()) {
      for (Task task : tasks.of(session)) {
        next = earlier(next, endOfClaim(task));
      }
    }
    return next;
  }

  @Nullable Instant endOfClaim(Task task) {
    Member owner = task.owner() == null ? null : roster.member(task.owner());
    return earlier(
        owner == null ? null : owner.heard().plus(settings.claimAfter()), task.claim().until());
  }

  /** When a lease ends unless it is renewed. */
  Instant endOf(Lease lease) {
    String id = lease.terms().task();
    Task task = lease.ofClaim() && id != null ? tasks.task(id) : null;
    Instant end = task == null ? null : endOfClaim(task);
    return end == null ? lease.until() : end;
  }

  /** The earlier of two times, each of which may be null. */
  static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
    return one == null || (other != null && other.isBefore(one)) ? other : one;
  }
}
