package dev.parley.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.fold.FoldReader;
import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.fold.Priority;
import dev.parley.coordination.lease.Grant;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.LedgerOwner;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.ledger.Sessions.Beat;
import dev.parley.coordination.ledger.Sessions.Profile;
import dev.parley.coordination.task.Plan;
import dev.parley.coordination.task.Task;
import dev.parley.coordination.work.LockRequest;
import dev.parley.coordination.work.Locks;
import dev.parley.coordination.work.TaskList;
import dev.parley.core.Envelope;
import dev.parley.core.WholeTopic;
import dev.parley.core.json.Json;
import dev.parley.core.store.Views;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * What agents that share files and tasks can rely on, whichever log they are on: a test for each
 * subject extends this.
 */
public abstract class WorkContract extends OnEveryLog {
  protected static final Duration SECOND = Duration.ofSeconds(1);
  protected static final Duration LONG = Duration.ofSeconds(60);

  /** An agent in a process of its own. */
  protected final class Agent {
    public final Team team = another();
    public final Session session;
    public final Locks locks;
    public final TaskList tasks;

    public Agent(String name, String... can) {
      session = Session.begin(name);
      var _ = team.sessions().join(session, new Profile(null, List.of(can)));
      locks = team.locks(session);
      tasks = team.tasks(session);
    }

    /** Asks without waiting for anything: as a process does that is gone right after. */
    public Outcome asks(String type, Json.ObjectBuilder payload) {
      return team.ledger().ask(session, type, payload);
    }

    public Future<Grant> waitsFor(LockRequest wanted) {
      int before = ledger().leases().waiters().size();
      Future<Grant> grant = begin(() -> locks.lock(wanted, LONG));
      await("in line").until(() -> ledger().leases().waiters().size() > before);
      return grant;
    }

    public void says() {
      var _ = team.sessions().heartbeat(session, Beat.ALIVE);
    }
  }

  protected final ExecutorService threads = Executors.newCachedThreadPool();
  protected LedgerOwner watcher;
  private FoldReader<Ledger> fold;
  protected Agent alice;
  protected Agent bob;
  protected Agent carol;

  @BeforeEach
  void agents() throws Exception {
    watcher = another().ledger();
    fold = new FoldReader<>(place.log(), Views.inMemory(), report -> {}, Ledger.KIND);
    alice = new Agent("alice");
    bob = new Agent("bob");
    carol = new Agent("carol");
  }

  @AfterEach
  void endThreads() throws InterruptedException {
    threads.shutdownNow();
    assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
  }

  /** What a reader of its own makes of the lines. */
  protected synchronized Ledger ledger() {
    return fold.refresh();
  }

  protected Task task(String id) {
    return ledger().tasks().task(id);
  }

  protected List<Envelope> lines() {
    return WholeTopic.of(place.log(), Ledger.TOPIC);
  }

  /** Lets a time pass; then somebody says something, so that it is known in the ledger. */
  protected void pass(Duration time) {
    place.pass().accept(time);
    carol.says();
  }

  protected <R> Future<R> begin(Callable<R> call) {
    return threads.submit(call);
  }

  protected static org.awaitility.core.ConditionFactory await(String what) {
    return Awaitility.await(what).pollInterval(Duration.ofMillis(5)).atMost(LONG);
  }

  protected static <R> R get(Future<R> future) throws Exception {
    try {
      return future.get(LONG.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  protected static Plan plan(String id, String... after) {
    return planOf(id, Priority.NORMAL, List.of(after), List.of(), List.of(), Plan.TRIES);
  }

  protected static Plan planOf(
      String id,
      Priority priority,
      List<String> after,
      List<String> files,
      List<String> needs,
      int tries) {
    return new Plan(id, "Title of " + id, "", after, List.of(), files, needs, priority, tries);
  }
}
