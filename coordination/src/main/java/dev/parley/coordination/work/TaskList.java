package dev.parley.coordination.work;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.ledger.Clerk;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.task.Claim;
import dev.parley.coordination.task.Plan;
import dev.parley.coordination.task.Task;
import dev.parley.coordination.task.TaskTypes;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adds tasks, claims them for a session and says how they go. Every answer is what the order of the
 * ledger made of the request: of several who claim a task at once, one has it.
 *
 * <p>Safe for use by many threads.
 */
public final class TaskList {
  private final Session session;
  private final Clerk clerk;

  /** The claim that is meant; 0 for whichever the session has. */
  private final long token;

  public TaskList(Session session, Clerk clerk) {
    this(session, clerk, 0);
  }

  private TaskList(Session session, Clerk clerk, long token) {
    this.session = session;
    this.clerk = clerk;
    this.token = token;
  }

  /**
   * The same for one claim alone: refused once that is over, also if the session has claimed the
   * task again.
   */
  TaskList holding(Claimed claimed) {
    return new TaskList(session, clerk, claimed.token());
  }

  /**
   * A task that is one's own.
   *
   * @param token what shows that it is this claim
   */
  public record Claimed(String task, String title, long token) {}

  /**
   * How a claim is to be.
   *
   * @param can abilities beside those that the session joined with
   * @param ttl how long one may say nothing about the task; null if any sign of life will do
   */
  public record Terms(List<String> can, @Nullable Duration ttl) {
    public static final Terms NONE = new Terms(List.of(), null);

    public Terms {
      if (ttl != null) {
        var _ = Wanted.check("ttl", ttl, Claim.LEAST_TTL, Claim.MOST_TTL);
      }
    }

    private Json.ObjectBuilder write() {
      Json.ObjectBuilder json = Json.object();
      if (!can.isEmpty()) {
        json.put("can", Json.ofStrings(can));
      }
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
   * Claims a task.
   *
   * @throws RefusedException if another has it, or it is not ready
   */
  public Claimed claim(String task, Terms terms) {
    return claimed(ask(TaskTypes.CLAIM, terms.write().put("task", task)));
  }

  /**
   * Claims the first task that is ready and that the session is able to do.
   *
   * @throws RefusedException if there is none ({@code nothing-ready})
   */
  public Claimed next(Terms terms) {
    return claimed(ask(TaskTypes.NEXT, terms.write()));
  }

  /** As the other, waiting for a task to become ready; null if the time is over. */
  public @Nullable Claimed next(Terms terms, Duration atMost) throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    while (true) {
      try {
        return next(terms);
      } catch (RefusedException e) {
        Duration left = Duration.ofNanos(end - System.nanoTime());
        boolean nothing = e.code().equals("nothing-ready");
        if (!nothing || clerk.await(session, left, new Ready(session, terms.can())) == null) {
          if (nothing) {
            return null;
          }
          throw e;
        }
      }
    }
  }

  /** A task that somebody is able to do. */
  record Ready(Session session, List<String> can) implements Clerk.Awaited<Task> {
    @Override
    public @Nullable Task answer(Ledger ledger) {
      return ledger.nextFor(session.name(), can);
    }

    /** When somebody's claim ends who says nothing any more. */
    @Override
    public @Nullable Instant next(Ledger ledger) {
      return ledger.nextEndOfAClaim();
    }
  }

  private static Claimed claimed(Fields answer) {
    return new Claimed(
        answer.text("task", ""), answer.text("title", ""), answer.number("token", 0));
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
    return RefusedException.accepted(clerk.ask(session, type, payload));
  }

  private Json.ObjectBuilder named(String task, String key, @Nullable String text) {
    Json.ObjectBuilder json = Json.object().put("task", task);
    if (token != 0) {
      json.put("token", token);
    }
    return text == null ? json : json.put(key, text);
  }
}
