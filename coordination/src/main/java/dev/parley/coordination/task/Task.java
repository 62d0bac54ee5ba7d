package dev.parley.coordination.task;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.StoredTimes;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A task and its state.
 *
 * @param added the position of the line that added it
 * @param since when it entered its state, in the ledger's time
 * @param tried how often it was claimed, not counting claims that the owner gave back
 * @param note the last note: how it goes, or why it failed, was skipped or cancelled
 * @param recoverable after a failure: whether another try makes sense
 * @param result what was delivered, once it is done
 */
public record Task(
    Plan plan,
    String addedBy,
    long added,
    TaskState state,
    Instant since,
    int tried,
    Claim claim,
    @Nullable String note,
    boolean recoverable,
    Result result) {

  /** The commit and the files that a task delivered. */
  public record Result(@Nullable String commit, List<String> files) {
    static final Result NONE = new Result(null, List.of());
  }

  /** The order in which tasks should be done: the most urgent first; among those the oldest. */
  static final Comparator<Task> FIRST =
      (one, other) -> {
        int order = other.plan.priority().compareTo(one.plan.priority());
        return order != 0 ? order : Long.compare(one.added(), other.added());
      };

  static Task added(Plan plan, String by, long position, Instant now) {
    return new Task(
        plan, by, position, TaskState.PENDING, now, 0, Claim.NONE, null, false, Result.NONE);
  }

  public String id() {
    return plan.id();
  }

  public @Nullable String owner() {
    return claim.owner();
  }

  public @Nullable String session() {
    return claim.session();
  }

  /** Whether it has failed, but may be tried again after a {@code task.retry}. */
  public boolean canBeRetried() {
    return state == TaskState.FAILED && recoverable && tried < plan.tries();
  }

  /** Whether it will never be done, so that its dependents wait in vain. */
  boolean isHopeless() {
    return state.isOver() && state != TaskState.DONE && !canBeRetried();
  }

  /** The task in another state, without an owner. */
  Task to(TaskState next, Instant now, @Nullable String why) {
    return new Task(
        plan, addedBy, added, next, now, tried, claim.ended(), why, recoverable, Result.NONE);
  }

  /** The task as if it had not been claimed: giving a task back does not count as a try. */
  Task givenBack(Instant now, @Nullable String why) {
    return new Task(
        plan,
        addedBy,
        added,
        TaskState.READY,
        now,
        tried - 1,
        claim.ended(),
        why,
        false,
        Result.NONE);
  }

  Task claimed(Claim by, Instant now) {
    return new Task(
        plan, addedBy, added, TaskState.CLAIMED, now, tried + 1, by, null, false, Result.NONE);
  }

  /** The task after its claim took its files. */
  Task holding(Claim.Files files) {
    return new Task(
        plan, addedBy, added, state, since, tried, claim.holding(files), note, recoverable, result);
  }

  /** The task after its owner said only that it is still working. */
  Task heard(Instant now) {
    return new Task(
        plan, addedBy, added, state, since, tried, claim.heard(now), note, recoverable, result);
  }

  /** The task in a state that keeps its owner. */
  Task goesOn(TaskState next, Claim how, @Nullable String what, Instant now) {
    Instant from = state == next ? since : now;
    return new Task(plan, addedBy, added, next, from, tried, how, what, false, Result.NONE);
  }

  Task failed(@Nullable String why, boolean canBeRecovered, Instant now) {
    return new Task(
        plan,
        addedBy,
        added,
        TaskState.FAILED,
        now,
        tried,
        claim.ended(),
        why,
        canBeRecovered,
        Result.NONE);
  }

  Task done(Result what, @Nullable String how, Instant now) {
    return new Task(
        plan,
        addedBy,
        added,
        TaskState.DONE,
        now,
        tried,
        claim.at(100, now).ended(),
        how,
        false,
        what);
  }

  Task movedBack(Duration by) {
    return new Task(
        plan,
        addedBy,
        added,
        state,
        StoredTimes.earlier(since, by),
        tried,
        claim.movedBack(by),
        note,
        recoverable,
        result);
  }

  Json save() {
    Json.ObjectBuilder json =
        plan.write()
            .put("addedBy", addedBy)
            .put("added", added)
            .put("state", state.word())
            .put("since", Timestamps.format(since))
            .put("tried", tried);
    if (!claim.equals(Claim.NONE)) {
      json.put("claim", claim.save());
    }
    if (note != null) {
      json.put("note", note);
    }
    if (recoverable) {
      json.put("recoverable", true);
    }
    if (result.commit() != null) {
      json.put("commit", result.commit());
    }
    if (!result.files().isEmpty()) {
      json.put("changed", Json.ofStrings(result.files()));
    }
    return json.build();
  }

  static Task load(Fields saved) {
    Plan plan = Plan.read(saved);
    if (plan == null) {
      throw new IllegalArgumentException("not a task");
    }
    return new Task(
        plan,
        saved.text("addedBy", ""),
        saved.number("added", 0),
        TaskState.named(saved.text("state", "")),
        saved.need("since"),
        (int) saved.number("tried", 0),
        Claim.load(saved.json("claim")),
        saved.text("note"),
        saved.flag("recoverable"),
        new Result(saved.text("commit"), saved.texts("changed")));
  }
}
