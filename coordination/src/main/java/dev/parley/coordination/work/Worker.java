package dev.parley.coordination.work;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.lease.Grant;
import dev.parley.coordination.ledger.Clerk;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.task.Task;
import dev.parley.coordination.work.TaskList.Claimed;
import dev.parley.coordination.work.TaskList.Failed;
import dev.parley.coordination.work.TaskList.Terms;
import dev.parley.core.ParleyException;
import dev.parley.core.Report;
import dev.parley.core.Reporter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Works on tasks as workers should: claim it, which checks what it depends on; take the paths it
 * will change; say that one is at it; end it, which gives everything back.
 *
 * <pre>
 * try (Worker.Job job = worker.start("1.2", List.of(), tree, Duration.ofMinutes(5))) {
 *   …
 *   job.done(commit, files, "all tests pass");
 * }
 * </pre>
 *
 * Whatever happens to the process, the task is taken by another: its claim and its leases last only
 * as long as this says, now and then, that it is still there.
 */
public final class Worker {
  /** How long a claim and its leases outlast a worker that was killed, if nobody said. */
  public static final Duration GRACE = Duration.ofMinutes(1);

  public static final Duration LEAST_GRACE = Duration.ofSeconds(2);
  public static final Duration MOST_GRACE = Duration.ofHours(1);

  private static final int BEATS_PER_GRACE = 3;

  /** A sign of life that could not be stored is tried again sooner than the next would be due. */
  private static final int TRIES_PER_GRACE = 12;

  private final TaskList tasks;
  private final Locks locks;
  private final Clerk clerk;
  private final Reporter reporter;
  private final Duration grace;

  public Worker(Session session, Clerk clerk, Locks locks, Reporter reporter, Duration grace) {
    this.tasks = new TaskList(session, clerk);
    this.locks = locks;
    this.clerk = clerk;
    this.reporter = reporter;
    this.grace = Wanted.check("grace", grace, LEAST_GRACE, MOST_GRACE);
  }

  /**
   * Begins a task.
   *
   * @param more paths to take beside the files of its plan
   * @param wait how long to wait for the paths; meanwhile the task is blocked on them
   * @throws RefusedException if it can't be claimed, or the paths can't be had; then it is given
   *     back
   */
  public Job start(String task, List<String> more, String tree, Duration wait)
      throws InterruptedException {
    Claimed claimed = tasks.claim(task, new Terms(List.of(), grace));
    Job job = new Job(claimed);
    try {
      List<String> paths = paths(task, more);
      if (!paths.isEmpty()) {
        job.grant = take(job, new Wanted(paths, false, tree, false, grace, task), wait);
      }
      return job;
    } catch (RuntimeException | InterruptedException e) {
      job.giveBack(e);
      throw e;
    }
  }

  private List<String> paths(String task, List<String> more) {
    List<String> planned =
        clerk.look(ledger -> {
          Task there = ledger.tasks().task(task);
          return there == null ? List.<String>of() : there.plan().files();
        });
    return Stream.concat(planned.stream(), more.stream()).distinct().toList();
  }

  private Grant take(Job job, Wanted wanted, Duration wait) throws InterruptedException {
    try {
      return locks.lock(wanted);
    } catch (RefusedException e) {
      if (!e.code().equals("held") || wait.isZero()) {
        throw e;
      }
      // What is in the way may be only one of many.
      List<String> held = Fields.of(e.details()).texts("paths");
      String task = job.claimed.task();
      job.own.block(task, "path:" + held.getFirst(), wanted.tree(), e.what());
      Grant grant = locks.lock(wanted, wait);
      job.own.progress(task, null, null);
      return grant;
    }
  }

  /** A task that is worked on, until it is done or failed. */
  public final class Job implements AutoCloseable {
    private final Claimed claimed;
    private final TaskList own;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable Grant grant;
    private volatile @Nullable ParleyException lost;

    private Job(Claimed claimed) {
      this.claimed = claimed;
      this.own = tasks.holding(claimed);
      Thread.ofPlatform().daemon().name("at work on " + claimed.task()).start(this::keep);
    }

    public Claimed claimed() {
      return claimed;
    }

    /** The token of the lease on its paths; 0 if it has none. */
    public long token() {
      Grant granted = grant;
      return granted == null ? 0 : granted.token();
    }

    /** Why the task is not one's own any more; null if it is, as far as one knows. */
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
              return; // it was not one's own any more because one has ended it
            }
            if (isLost(e, now - heard)) {
              lost = e;
              reporter.report(new Report.Stopped(Clerk.WHERE, e));
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
      Grant granted = grant;
      if (granted != null) {
        granted.tokens().forEach(token -> locks.renew(token, null));
      }
    }

    /** A full disk does not take a task away, as long as it has room again in time. */
    private boolean isLost(ParleyException e, long silentNanos) {
      long beat = grace.toNanos() / BEATS_PER_GRACE;
      return !e.mayPass() || silentNanos + beat > grace.toNanos();
    }

    public void progress(int percent, @Nullable String note) {
      own.progress(claimed.task(), percent, note);
    }

    /** Ends it well; gives back what can be done now. */
    public List<String> done(@Nullable String commit, List<String> files, @Nullable String note) {
      end();
      return own.done(claimed.task(), commit, files, note);
    }

    public Failed fail(String error, boolean recoverable) {
      end();
      return own.fail(claimed.task(), error, recoverable);
    }

    private void end() {
      ended.countDown();
    }

    private void giveBack(Exception why) {
      end();
      try {
        own.release(claimed.task(), "its paths could not be had");
      } catch (ParleyException e) {
        why.addSuppressed(e); // it is not ours any more
      }
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
