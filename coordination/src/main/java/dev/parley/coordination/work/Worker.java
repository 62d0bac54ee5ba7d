package dev.parley.coordination.work;

import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.lease.Grant;
import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.ledger.LedgerOwner;
import dev.parley.coordination.task.FailedTask;
import dev.parley.coordination.task.Task;
import dev.parley.coordination.task.TaskState;
import dev.parley.coordination.work.TaskList.Claimed;
import dev.parley.coordination.work.TaskList.Terms;
import dev.parley.core.ParleyException;
import dev.parley.core.Report;
import dev.parley.core.Reporter;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Works on tasks in the right order: waits for the paths, claims the task, which checks its
 * dependencies and leases its files, writes signs of life, and ends the task, which releases
 * everything.
 *
 * <pre>
 * try (Worker.Job job = worker.start("1.2", List.of(), tree, Duration.ofMinutes(5))) {
 *   …
 *   job.done(commit, files, "all tests pass");
 * }
 * </pre>
 *
 * If the process dies, another agent gets the task: its claim and its leases last only as long as
 * the worker writes signs of life.
 */
public final class Worker {
  /** How long a claim and its leases outlast a killed worker by default. */
  public static final Duration GRACE = Duration.ofMinutes(1);

  public static final Duration LEAST_GRACE = Duration.ofSeconds(2);
  public static final Duration MOST_GRACE = Duration.ofHours(1);

  private static final int BEATS_PER_GRACE = 3;

  /**
   * How often a sign of life that could not be stored is tried again in the time of grace: more
   * often than usual ones are due.
   */
  private static final int TRIES_PER_GRACE = 12;

  private final TaskList tasks;
  private final Locks locks;
  private final LedgerOwner owner;
  private final Reporter reporter;
  private final Duration grace;

  public Worker(TaskList tasks, Locks locks, LedgerOwner owner, Reporter reporter, Duration grace) {
    this.tasks = tasks;
    this.locks = locks;
    this.owner = owner;
    this.reporter = reporter;
    this.grace = LockRequest.check("grace", grace, LEAST_GRACE, MOST_GRACE);
  }

  /** As the other, with the bus's setting for the cover. */
  public Job start(String task, List<String> more, String tree, Duration wait)
      throws InterruptedException {
    return start(task, more, new Terms(List.of(), null).in(tree, null), wait);
  }

  /**
   * Begins a task. While this waits for paths, other agents may still claim the task.
   *
   * @param more paths to lease beside the files of its plan
   * @param how the terms of the claim: whether it leases the files, and in which working trees
   * @param wait how long to wait for the paths
   * @throws RefusedException if the task can't be claimed, or the paths can't be leased
   */
  public Job start(String task, List<String> more, Terms how, Duration wait)
      throws InterruptedException {
    Terms terms = new Terms(how.can(), grace, how.tree(), how.cover(), how.takesFiles());
    if (more.isEmpty() || !isReady(task)) {
      return new Job(tasks.claim(task, terms, wait), List.of());
    }
    long end = System.nanoTime() + wait.toNanos();
    Grant grant =
        locks.lock(
            new LockRequest(more, false, how.tree(), how.cover(), tasks.untilClaimed(), task),
            wait);
    try {
      Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
      return new Job(tasks.claim(task, terms, left), grant.tokens());
    } catch (RuntimeException | InterruptedException e) {
      giveBack(grant, e);
      throw e;
    }
  }

  /** Whether the task is ready. If not, the claim is refused at once, before waiting for paths. */
  private boolean isReady(String task) {
    return owner.look(ledger -> {
      Task there = ledger.tasks().task(task);
      return there != null && there.state() == TaskState.READY;
    });
  }

  private void giveBack(Grant grant, Exception why) {
    if (!grant.isReentered()) {
      try {
        locks.release(grant.token());
      } catch (ParleyException e) {
        why.addSuppressed(e); // it has ended already
      }
    }
  }

  /** A claimed task, until it is done or failed. */
  public final class Job implements AutoCloseable {
    private final Claimed claimed;
    private final TaskList own;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final List<Long> tokens;
    private volatile @Nullable ParleyException lost;

    private Job(Claimed claimed, List<Long> more) {
      this.claimed = claimed;
      this.tokens = tokens(claimed, more);
      this.own = tasks.holding(claimed);
      Thread.ofPlatform().daemon().name("at work on " + claimed.task()).start(this::keep);
    }

    public Claimed claimed() {
      return claimed;
    }

    /**
     * The leases of the claim, taken with it or in the queue before, and the leases on the extra
     * paths.
     */
    private List<Long> tokens(Claimed claim, List<Long> more) {
      return owner.look(ledger -> {
        List<Long> all = new ArrayList<>();
        if (ledger.leases().lease(claim.token()) != null) {
          all.add(claim.token()); // the files of the task come first
        }
        for (Lease lease : ledger.leases().all()) {
          boolean ofTask = lease.ofClaim() && claim.task().equals(lease.terms().task());
          if (ofTask && !all.contains(lease.token())) {
            all.add(lease.token());
          }
        }
        more.stream().filter(token -> !all.contains(token)).forEach(all::add);
        return List.copyOf(all);
      });
    }

    /** The token of a lease on its paths; 0 if there is none. */
    public long token() {
      return tokens.isEmpty() ? 0 : tokens.getFirst();
    }

    /** Why this session lost the task; null if it has not, as far as is known. */
    public @Nullable ParleyException lost() {
      return lost;
    }

    private void keep() {
      long heard = System.nanoTime();
      long pause = grace.toMillis() / BEATS_PER_GRACE;
      try {
        while (!ended.await(pause, TimeUnit.MILLISECONDS)) {
          long now = System.nanoTime();
          try {
            sayAlive();
            heard = now;
            pause = grace.toMillis() / BEATS_PER_GRACE;
          } catch (ParleyException e) {
            if (ended.getCount() == 0) {
              return; // refused only because this process has ended the task
            }
            if (isLost(e, now - heard)) {
              lost = e;
              reporter.report(new Report.Stopped(LedgerOwner.WHERE, e));
              return;
            }
            reporter.report(new Report.Retried("a sign of life for " + claimed.task(), e));
            pause = grace.toMillis() / TRIES_PER_GRACE;
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private void sayAlive() {
      own.alive(claimed.task());
      boolean hasAll =
          owner.look(
              ledger -> tokens.stream().allMatch(token -> ledger.leases().lease(token) != null));
      if (!hasAll) {
        throw new RefusedException(
            new Outcome.Refused("not-held", Json.object().put("what", "lease").build()));
      }
    }

    /**
     * Whether an error means that the task is lost. A full disk does not, unless it lasts too long.
     */
    private boolean isLost(ParleyException e, long silentNanos) {
      long beat = grace.toNanos() / BEATS_PER_GRACE;
      return !e.mayPass() || silentNanos + beat > grace.toNanos();
    }

    /**
     * Reports the progress.
     *
     * @param percent 0 to 100; null keeps the earlier value
     */
    public void progress(@Nullable Integer percent, @Nullable String note) {
      own.progress(claimed.task(), percent, note);
    }

    /** Ends the task as done; returns the tasks that are ready now because of it. */
    public List<String> done(@Nullable String commit, List<String> files, @Nullable String note) {
      end();
      return own.done(claimed.task(), commit, files, note);
    }

    public FailedTask fail(String error, boolean recoverable) {
      end();
      return own.fail(claimed.task(), error, recoverable);
    }

    private void end() {
      ended.countDown();
    }

    /** Fails the task unless it has ended. */
    @Override
    public void close() {
      if (ended.getCount() > 0) {
        var _ = fail("its worker ended without a word", true);
      }
    }
  }
}
