package dev.parley.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.fold.Priority;
import dev.parley.coordination.lease.Cover;
import dev.parley.coordination.lease.Grant;
import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.lease.LeaseTerms;
import dev.parley.coordination.lease.LeaseTypes;
import dev.parley.coordination.lease.Waiter;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.LedgerOwner;
import dev.parley.coordination.ledger.LedgerTypes;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.ledger.Sessions.Beat;
import dev.parley.coordination.ledger.Sessions.Profile;
import dev.parley.coordination.ledger.WaitGraph;
import dev.parley.coordination.task.Claim;
import dev.parley.coordination.task.Plan;
import dev.parley.coordination.task.Task;
import dev.parley.coordination.task.TaskState;
import dev.parley.coordination.task.TaskTypes;
import dev.parley.coordination.wait.WaitTypes;
import dev.parley.coordination.work.LockRequest;
import dev.parley.coordination.work.Locks;
import dev.parley.coordination.work.RefusedException;
import dev.parley.coordination.work.TaskList;
import dev.parley.coordination.work.TaskList.Claimed;
import dev.parley.coordination.work.TaskList.Terms;
import dev.parley.coordination.work.WaitService;
import dev.parley.coordination.work.Worker;
import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Position;
import dev.parley.core.Report;
import dev.parley.core.Reporter;
import dev.parley.core.WholeTopic;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What agents that share files and tasks can rely on, whichever log they are on. */
public abstract class WorkContract {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofSeconds(60);

  /** An agent in a process of its own. */
  private final class Agent {
    final Team team = place.team(reports::add);
    final Session session;
    final Locks locks;
    final TaskList tasks;

    Agent(String name, String... can) {
      session = Session.begin(name);
      var _ = team.sessions().join(session, new Profile(null, List.of(can)));
      locks = team.locks(session);
      tasks = team.tasks(session);
    }

    /** Asks without waiting for anything: as a process does that is gone right after. */
    Outcome asks(String type, Json.ObjectBuilder payload) {
      return team.ledger().ask(session, type, payload);
    }

    Future<Grant> waitsFor(LockRequest wanted) {
      int before = ledger().leases().waiters().size();
      Future<Grant> grant = begin(() -> locks.lock(wanted, LONG));
      await("in line").until(() -> ledger().leases().waiters().size() > before);
      return grant;
    }

    void says() {
      var _ = team.sessions().heartbeat(session, Beat.ALIVE);
    }
  }

  private final List<Report> reports = Collections.synchronizedList(new ArrayList<>());
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private Place place;
  private LedgerOwner watcher;
  private Agent alice;
  private Agent bob;
  private Agent carol;

  protected abstract Place open(Reporter reporter) throws Exception;

  @BeforeEach
  void openTeam() throws Exception {
    place = open(reports::add);
    watcher = place.team(reports::add).ledger();
    alice = new Agent("alice");
    bob = new Agent("bob");
    carol = new Agent("carol");
  }

  @AfterEach
  void closeLog() throws InterruptedException {
    threads.shutdownNow();
    assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    place.log().close();
    assertThat(reports).isEmpty();
  }

  private Ledger ledger() {
    return watcher.look(ledger -> ledger);
  }

  private Task task(String id) {
    return ledger().tasks().task(id);
  }

  private List<Envelope> lines() {
    return WholeTopic.of(place.log(), Ledger.TOPIC);
  }

  /** Lets a time pass; then somebody says something, so that it is known in the ledger. */
  private void pass(Duration time) {
    place.pass().accept(time);
    carol.says();
  }

  private <R> Future<R> begin(Callable<R> call) {
    return threads.submit(call);
  }

  private static org.awaitility.core.ConditionFactory await(String what) {
    return Awaitility.await(what).pollInterval(Duration.ofMillis(5)).atMost(LONG);
  }

  private static <R> R get(Future<R> future) throws Exception {
    try {
      return future.get(LONG.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  private static ParleyException refused(String code, ThrowingCallable call) {
    try {
      call.call();
    } catch (ParleyException e) {
      assertThat(e.code()).as(e.what()).isEqualTo(code);
      return e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    throw new AssertionError("not refused: " + code);
  }

  private static Fields details(ParleyException refused) {
    return Fields.of(refused.details());
  }

  private static Plan plan(String id, String... after) {
    return planOf(id, Priority.NORMAL, List.of(after), List.of(), List.of(), Plan.TRIES);
  }

  private static Plan planOf(
      String id,
      Priority priority,
      List<String> after,
      List<String> files,
      List<String> needs,
      int tries) {
    return new Plan(id, "Title of " + id, "", after, List.of(), files, needs, priority, tries);
  }

  // Leases

  /** Seed 1.4. */
  @Test
  void aPathHasOneHolderAndARefusalSaysWhoSinceWhenUntilWhenAndHowToAsk() {
    Grant grant = alice.locks.lock(LockRequest.of("src/"));

    assertThat(grant.paths()).containsExactly("src/");
    assertThat(grant.token()).isPositive();
    ParleyException refused = refused("held", () -> bob.locks.lock(LockRequest.of("src/a.ts")));
    Lease lease = ledger().leases().lease(grant.token());
    assertThat(refused.kind()).isEqualTo(ParleyException.Kind.REFUSED);
    assertThat(details(refused).texts("paths")).containsExactly("src/");
    assertThat(details(refused).text("holder")).isEqualTo("alice");
    assertThat(details(refused).time("since")).isEqualTo(lease.since());
    assertThat(details(refused).time("until")).isEqualTo(grant.until()).isEqualTo(lease.until());
    assertThat(bob.locks.own()).isEmpty();
  }

  /** Seed 1.4. */
  @Test
  void aLeaseLastsThirtyMinutesUnlessSaid() {
    Lease usual = lease(alice.locks.lock(LockRequest.of("a")));
    Lease brief = lease(alice.locks.lock(LockRequest.of("b").lasting(Duration.ofSeconds(90))));

    assertThat(Duration.between(usual.since(), usual.until())).isEqualTo(Duration.ofMinutes(30));
    assertThat(Duration.between(brief.since(), brief.until())).isEqualTo(Duration.ofSeconds(90));
  }

  private Lease lease(Grant grant) {
    return ledger().leases().lease(grant.token());
  }

  @Test
  void limitsAreRefusedBeforeAnythingIsWritten() {
    int before = lines().size();
    refused("bad-duration", () -> LockRequest.of("a").lasting(LeaseTerms.LEAST_TTL.minusMillis(1)));
    refused("bad-duration", () -> LockRequest.of("a").lasting(LeaseTerms.MOST_TTL.plusMillis(1)));
    refused("bad-paths", LockRequest::of);
    String[] paths = paths(LeaseTerms.MOST_PATHS + 1);
    refused("bad-paths", () -> LockRequest.of(paths));
    String wide = "x".repeat(1_000);
    String[] longOnes =
        IntStream.range(0, LeaseTerms.MOST_CHARACTERS / 1_000 + 1)
            .mapToObj(i -> wide + i)
            .toArray(String[]::new);
    refused("bad-paths", () -> LockRequest.of(longOnes));
    refused("bad-path", () -> LockRequest.of("../up"));
    refused(
        "bad-duration",
        () -> alice.locks.lock(LockRequest.of("a"), Waiter.MOST_WAIT.plusSeconds(1)));
    refused("bad-duration", () -> alice.locks.lock(LockRequest.of("a"), Duration.ofMillis(1)));
    refused("bad-duration", () -> new Terms(List.of(), Claim.MOST_TTL.plusMillis(1)));
    refused("bad-task", () -> alice.tasks.add(plan("a b"), false));
    refused("bad-task", () -> alice.tasks.add(plan("a".repeat(Plan.LONGEST_ID + 1)), false));
    refused("bad-task", () -> alice.tasks.add(plan("x", "../y"), true));
    refused(
        "bad-duration", () -> alice.team.worker(alice.session, Worker.LEAST_GRACE.minusMillis(1)));
    refused(
        "bad-duration", () -> alice.team.worker(alice.session, Worker.MOST_GRACE.plusMillis(1)));
    assertThat(lines()).hasSize(before);

    assertThat(alice.locks.lock(LockRequest.of(paths(LeaseTerms.MOST_PATHS))).paths())
        .hasSize(LeaseTerms.MOST_PATHS);
  }

  private static String[] paths(int count) {
    return IntStream.range(0, count).mapToObj(i -> "p" + i).toArray(String[]::new);
  }

  @Test
  void severalPathsAreHadTogetherOrNotAtAll() throws Exception {
    Grant first = alice.locks.lock(LockRequest.of("b"));

    refused("held", () -> bob.locks.lock(LockRequest.of("a", "b", "c")));
    assertThat(carol.locks.lock(LockRequest.of("a")).paths()).containsExactly("a");
    Future<Grant> waits = bob.waitsFor(LockRequest.of("a", "b", "c"));
    alice.locks.release(first.token());
    assertThat(waits.isDone()).isFalse();
    var _ = carol.locks.releaseAll();

    assertThat(get(waits).paths()).containsExactly("a", "b", "c");
  }

  /** Seed 1.4. */
  @Test
  void theSameSessionGetsTheTokenThatItHas() {
    Grant outer = alice.locks.lock(LockRequest.of("src/"));

    Grant inner = alice.locks.lock(LockRequest.of("src/a.ts").shared(true));
    Grant more = alice.locks.lock(LockRequest.of("src/a.ts", "docs/"));

    assertThat(inner.token()).isEqualTo(outer.token());
    assertThat(inner.isReentered()).isTrue();
    assertThat(more.isReentered()).isFalse();
    assertThat(more.held()).extracting(Lease::token).containsExactly(outer.token());
    assertThat(more.paths()).containsExactly("docs/");
    assertThat(alice.locks.own()).hasSize(2);
  }

  @Test
  void aGrantOverSeveralLeasesEndsWithTheFirstOfThem() {
    Grant brief = alice.locks.lock(LockRequest.of("a").lasting(LONG));
    var _ = alice.locks.lock(LockRequest.of("b"));

    LockRequest both = LockRequest.of("a", "b").lasting(LONG.minusSeconds(1));
    assertThat(alice.locks.lock(both).until()).isEqualTo(brief.until());
    LockRequest more = LockRequest.of("a", "c").lasting(LONG.minusSeconds(1));
    assertThat(alice.locks.lock(more).until()).isBeforeOrEqualTo(brief.until());
  }

  @Test
  void whatASessionHoldsLastsAtLeastAsLongAsItAsksForAgain() {
    Grant brief = alice.locks.lock(LockRequest.of("a").lasting(LONG));
    LockRequest longer = LockRequest.of("a").lasting(LONG.multipliedBy(3));

    Grant again = alice.locks.lock(longer);

    assertThat(again.token()).isEqualTo(brief.token());
    assertThat(again.isReentered()).isTrue();
    assertThat(again.until()).isAfterOrEqualTo(brief.until().plus(LONG));
    assertThat(alice.locks.own()).extracting(Lease::until).containsExactly(again.until());
  }

  @Test
  void inAnotherWorkingTreeItIsGrantedNamingWhoHoldsItUnlessItIsMeantInAll() {
    var _ = alice.locks.lock(LockRequest.of("src/").in("one", false).covering(Cover.TREE));

    refused("held", () -> bob.locks.lock(LockRequest.of("src/a.ts").in("two", false)));
    Grant warned = bob.locks.lock(LockRequest.of("src/a.ts").in("two", false).covering(Cover.TREE));
    assertThat(warned.elsewhere()).hasSize(1);
    assertThat(warned.elsewhere().getFirst().holder()).isEqualTo("alice");
    assertThat(warned.elsewhere().getFirst().terms().tree()).isEqualTo("one");
    assertThat(
            bob.locks
                .lock(LockRequest.of("docs/").in("two", false).covering(Cover.TREE))
                .elsewhere())
        .isEmpty();

    refused("held", () -> carol.locks.lock(LockRequest.of("src/b.ts").in("three", true)));
    var _ = carol.locks.lock(LockRequest.of("lib/").in("three", true));
    refused("held", () -> bob.locks.lock(LockRequest.of("lib/x").in("two", false)));
  }

  @Test
  void sharedLeasesAreHadByManyAndWhoWaitsForItAloneIsNotPassedBy() throws Exception {
    Grant shared = alice.locks.lock(LockRequest.of("a").shared(true));
    Grant too = bob.locks.lock(LockRequest.of("a").shared(true));
    Future<Grant> alone = carol.waitsFor(LockRequest.of("a"));

    Agent dave = new Agent("dave");
    refused("held", () -> dave.locks.lock(LockRequest.of("a").shared(true)));
    Future<Grant> behind = dave.waitsFor(LockRequest.of("a").shared(true));
    alice.locks.release(shared.token());
    bob.locks.release(too.token());

    Grant carols = get(alone);
    assertThat(behind.isDone()).isFalse();
    carol.locks.release(carols.token());
    assertThat(get(behind).token()).isGreaterThan(carols.token());
  }

  @Test
  void whoAskedFirstHoldsFirst() throws Exception {
    Grant first = alice.locks.lock(LockRequest.of("a"));
    List<Agent> agents = IntStream.range(0, 5).mapToObj(i -> new Agent("w" + i)).toList();
    List<Future<Grant>> waits = new ArrayList<>();
    for (Agent agent : agents) {
      waits.add(agent.waitsFor(LockRequest.of("a")));
    }

    alice.locks.release(first.token());

    long before = first.token();
    for (int i = 0; i < waits.size(); i++) {
      Grant grant = get(waits.get(i));
      assertThat(grant.token()).isGreaterThan(before);
      assertThat(ledger().leases().all()).extracting(Lease::holder).containsExactly("w" + i);
      before = grant.token();
      agents.get(i).locks.release(grant.token());
    }
  }

  @Test
  void aWaitHasADeadlineAndThePlaceInTheLineIsGivenUpWithIt() {
    var _ = alice.locks.lock(LockRequest.of("a"));

    ParleyException late = refused("timed-out", () -> bob.locks.lock(LockRequest.of("a"), SECOND));

    assertThat(details(late).text("holder")).isEqualTo("alice");
    assertThat(details(late).texts("inTheWay")).containsExactly("alice");
    assertThat(ledger().leases().waiters()).isEmpty();
  }

  @Test
  void whoIsInterruptedWaitsNoMore() {
    var _ = alice.locks.lock(LockRequest.of("a"));
    Future<Grant> waits = bob.waitsFor(LockRequest.of("a"));

    waits.cancel(true);

    await("given up").until(() -> ledger().leases().waiters().isEmpty());
    refused("held", () -> carol.locks.lock(LockRequest.of("a")));
  }

  @Test
  void aRenewedLeaseLastsLongerAndNoneIsMadeShorter() {
    Grant grant = alice.locks.lock(LockRequest.of("a").lasting(Duration.ofSeconds(100)));

    pass(SECOND);
    Grant renewed = alice.locks.renew(grant.token(), null);
    assertThat(renewed.token()).isEqualTo(grant.token());
    assertThat(renewed.until()).isAfterOrEqualTo(grant.until().plus(SECOND));
    assertThat(alice.locks.renew(grant.token(), SECOND).until()).isEqualTo(renewed.until());
    assertThat(alice.locks.renew(grant.token(), Duration.ofHours(1)).until())
        .isAfter(renewed.until().plusSeconds(3000));
    refused("not-held", () -> bob.locks.renew(grant.token(), null));
  }

  @Test
  void someOfThePathsCanBeGivenBackAndAllAtOnce() {
    Grant grant = alice.locks.lock(LockRequest.of("a", "b", "c"));

    alice.locks.release(grant.token(), List.of("b"));
    assertThat(bob.locks.lock(LockRequest.of("b")).paths()).containsExactly("b");
    refused("held", () -> bob.locks.lock(LockRequest.of("c")));
    refused("not-held", () -> bob.locks.release(grant.token()));
    var _ = alice.locks.lock(LockRequest.of("d"));

    assertThat(alice.locks.releaseAll()).hasSize(2);
    assertThat(alice.locks.own()).isEmpty();
    assertThat(alice.locks.releaseAll()).isEmpty();
    refused("not-held", () -> alice.locks.release(grant.token()));
  }

  @Test
  void anyoneCanBreakALeaseButMustSayWhy() {
    Grant grant = alice.locks.lock(LockRequest.of("a"));

    refused("no-reason", () -> bob.locks.breakOff(grant.token(), " "));
    refused("not-held", () -> bob.locks.breakOff(grant.token() + 1, "no such lease"));
    bob.locks.breakOff(grant.token(), "alice is stuck");

    Envelope line = lines().getLast();
    assertThat(line.sender()).isEqualTo("bob");
    assertThat(line.payload().fields().get("reason").text()).isEqualTo("alice is stuck");
    refused("not-held", () -> alice.locks.renew(grant.token(), null));
    assertThat(bob.locks.lock(LockRequest.of("a")).token()).isGreaterThan(grant.token());
  }

  /** Seed 1.4. */
  @Test
  void aLeaseWhoseTimeIsOverIsTakenByTheNextAndItsTokenIsGoodForNothing() {
    Grant grant = alice.locks.lock(LockRequest.of("a").lasting(SECOND));

    place.pass().accept(SECOND);

    assertThat(bob.locks.isGood(grant.token(), "a", "")).isFalse();
    Grant next = bob.locks.lock(LockRequest.of("a"));
    assertThat(next.token()).isGreaterThan(grant.token());
    refused("not-held", () -> alice.locks.renew(grant.token(), null));
    refused("not-held", () -> alice.locks.release(grant.token()));
    assertThat(bob.locks.own()).hasSize(1);
  }

  @Test
  void whoWaitsForADeadHolderBehindADeadWaiterGoesOn() throws Exception {
    var _ = alice.locks.lock(LockRequest.of("a").lasting(SECOND));
    Json.ObjectBuilder request =
        Json.object().put("paths", Json.ofStrings(List.of("a"))).put("wait", 600).put("offer", 1);
    assertThat(bob.asks(LeaseTypes.REQUEST, request).isAccepted()).isTrue();
    Agent dave = new Agent("dave");
    Future<Grant> waits = dave.waitsFor(LockRequest.of("a"));

    pass(Duration.ofMillis(1_100)); // alice's lease is over, and bob has an offer
    pass(Duration.ofMillis(1_100));

    assertThat(get(waits).paths()).containsExactly("a");
  }

  @Test
  void whoTakesANameEndsTheLeasesOfTheSessionBeforeAndItsTokensForEver() {
    Grant grant = alice.locks.lock(LockRequest.of("a", "b"));
    alice.team.sessions().staleAfter("alice", SECOND);
    place.pass().accept(SECOND);

    Agent again = new Agent("alice");

    assertThat(ledger().leases().all()).isEmpty();
    assertThat(again.locks.isGood(grant.token(), "a", "")).isFalse();
    refused("session-ended", () -> alice.locks.renew(grant.token(), null));
    refused("session-ended", () -> alice.locks.lock(LockRequest.of("a")));
    refused("not-held", () -> again.locks.release(grant.token()));
    Grant new_ = again.locks.lock(LockRequest.of("a"));
    assertThat(again.locks.isGood(new_.token(), "a", "")).isTrue();
    assertThat(again.locks.isGood(grant.token(), "a", "")).isFalse();
  }

  @Test
  void whoLeavesGivesEverythingBack() throws Exception {
    var _ = alice.locks.lock(LockRequest.of("a"));
    alice.tasks.add(plan("1"), false);
    alice.tasks.claim("1", Terms.NONE);
    Future<Grant> waits = bob.waitsFor(LockRequest.of("a"));

    alice.team.sessions().leave(alice.session, "done for today");

    assertThat(get(waits).paths()).containsExactly("a");
    assertThat(task("1").state()).isEqualTo(TaskState.READY);
    assertThat(task("1").note()).contains("alice", "ended");
  }

  @Test
  void aTokenIsGoodForItsPathsInItsTreeUntilItsLeaseEnds() {
    Grant first =
        alice.locks.lock(LockRequest.of("src/", "*.md").in("one", false).covering(Cover.TREE));

    assertThat(bob.locks.isGood(first.token(), "src/x/y", "one")).isTrue();
    assertThat(bob.locks.isGood(first.token(), "README.md", "one")).isTrue();
    assertThat(bob.locks.isGood(first.token(), "docs/README.md", "one")).isFalse();
    assertThat(bob.locks.isGood(first.token(), "src/x/y", "two")).isFalse();
    assertThat(bob.locks.isGood(first.token() + 1, "src/x/y", "one")).isFalse();
    refused("bad-path", () -> bob.locks.isGood(first.token(), "../x", "one"));
    alice.locks.release(first.token());
    Grant second = alice.locks.lock(LockRequest.of("src/").in("one", false));

    assertThat(bob.locks.isGood(first.token(), "src/x/y", "one")).isFalse();
    assertThat(bob.locks.isGood(second.token(), "src/x/y", "one")).isTrue();
  }

  @Test
  void aForeignLineDecidesNothing() {
    int before = lines().size();
    alice.tasks.add(plan("1"), false);
    // Without the session's id, whoever calls itself alice is nobody.
    place
        .log()
        .append(
            Ledger.TOPIC,
            List.of(
                Message.of("alice", TaskTypes.CLAIM, Json.object().put("task", "1").build()),
                Message.of(
                    "alice",
                    LeaseTypes.REQUEST,
                    Json.object().put("paths", Json.ofStrings(List.of("a"))).build())));

    assertThat(task("1").state()).isEqualTo(TaskState.READY);
    assertThat(ledger().leases().all()).isEmpty();
    assertThat(lines()).hasSize(before + 3);
  }

  // Tasks

  @Test
  void ofManyWhoClaimATaskOneHasIt() throws Exception {
    int racers = 8;
    List<Agent> agents = IntStream.range(0, racers).mapToObj(i -> new Agent("r" + i)).toList();
    for (int round = 0; round < 10; round++) {
      String id = "t" + round;
      alice.tasks.add(plan(id), false);
      CyclicBarrier start = new CyclicBarrier(racers);
      List<Future<String>> answers = new ArrayList<>();
      for (Agent agent : agents) {
        answers.add(
            begin(() -> {
              start.await();
              try {
                return agent.tasks.claim(id, Terms.NONE).task() + agent.session.name();
              } catch (RefusedException e) {
                return details(e).text("owner");
              }
            }));
      }
      List<String> all = new ArrayList<>();
      for (Future<String> answer : answers) {
        all.add(get(answer));
      }
      String owner = task(id).owner();
      assertThat(all).filteredOn(answer -> answer.equals(id + owner)).hasSize(1);
      assertThat(all).filteredOn(answer -> answer.equals(owner)).hasSize(racers - 1);
    }
  }

  @Test
  void whoHasATaskMayClaimItAgainAndIsGivenTheSameClaim() {
    alice.tasks.add(plan("1"), false);
    Claimed first = alice.tasks.claim("1", Terms.NONE);

    Claimed again = alice.tasks.claim("1", Terms.NONE);
    assertThat(again.token()).isEqualTo(first.token());
    assertThat(again.until()).isAfterOrEqualTo(first.until());
    assertThat(first.title()).isEqualTo("Title of 1");
    assertThat(task("1").tried()).isEqualTo(1);
    refused("unknown-task", () -> alice.tasks.claim("2", Terms.NONE));
  }

  @Test
  void theNextTaskIsTheMostUrgentOneThatOneIsAbleToDo() {
    alice.tasks.add(plan("old"), false);
    alice.tasks.add(plan("new"), false);
    alice.tasks.add(
        planOf("sql", Priority.HIGH, List.of(), List.of(), List.of("sql", "java"), 1), false);
    alice.tasks.add(
        planOf("urgent", Priority.CRITICAL, List.of(), List.of(), List.of("nobody"), 1), false);
    Agent able = new Agent("able", "java");

    assertThat(bob.tasks.next(Terms.NONE).task()).isEqualTo("old");
    assertThat(able.tasks.next(new Terms(List.of("sql"), null)).task()).isEqualTo("sql");
    assertThat(able.tasks.next(Terms.NONE).task()).isEqualTo("new");
    ParleyException nothing = refused("nothing-ready", () -> bob.tasks.next(Terms.NONE));
    assertThat(details(nothing).number("open", 0)).isEqualTo(4);
  }

  @Test
  void oneCanWaitForATaskToBecomeReady() throws Exception {
    alice.tasks.add(plan("1"), false);
    alice.tasks.add(plan("2", "1"), false);
    alice.tasks.claim("1", Terms.NONE);

    assertThat(bob.tasks.next(Terms.NONE, Duration.ofMillis(10))).isNull();
    Future<Claimed> waits = begin(() -> bob.tasks.next(Terms.NONE, LONG));
    assertThat(alice.tasks.done("1", "abc", List.of("x"), "good")).containsExactly("2");

    assertThat(get(waits).task()).isEqualTo("2");
  }

  @Test
  void whoWaitsForATaskThatItMustNotHaveWaitsQuietly() throws Exception {
    alice.tasks.add(plan("1"), false);
    var _ = bob.team.waits(bob.session).begin("task:1", "", null, LONG);
    int before = lines().size();

    assertThat(bob.tasks.next(Terms.NONE, Duration.ofMillis(200))).isNull();

    assertThat(lines()).hasSize(before + 1);
  }

  @Test
  void theEndOfATaskIsTheBeginningOfOthersOrTheirsToo() {
    alice.tasks.add(plan("1"), false);
    alice.tasks.add(plan("2"), false);
    assertThat(alice.tasks.add(plan("3", "1", "2"), false)).isEqualTo("pending");
    alice.tasks.add(plan("4", "3"), false);
    assertThat(
            details(refused("not-ready", () -> bob.tasks.claim("3", Terms.NONE))).texts("waitsFor"))
        .containsExactly("1", "2");
    alice.tasks.claim("1", Terms.NONE);
    assertThat(alice.tasks.done("1", null, List.of(), null)).isEmpty();
    alice.tasks.claim("2", Terms.NONE);

    TaskList.Failed failed = alice.tasks.fail("2", "does not compile", false);

    assertThat(failed.retry()).isFalse();
    assertThat(failed.skips()).containsExactly("3", "4");
    assertThat(task("2").note()).isEqualTo("does not compile");
    assertThat(task("3").state()).isEqualTo(TaskState.SKIPPED);
    assertThat(task("3").note()).isEqualTo("2 is failed");
    assertThat(task("4").note()).isEqualTo("3 is skipped");
    assertThat(alice.tasks.add(plan("5", "4"), false)).isEqualTo("skipped");
  }

  @Test
  void aTaskIsRetriedAsOftenAsItMayBeTried() {
    alice.tasks.add(planOf("1", Priority.NORMAL, List.of(), List.of(), List.of(), 2), false);
    alice.tasks.add(plan("2", "1"), false);
    alice.tasks.claim("1", Terms.NONE);
    refused("no-retry", () -> bob.tasks.retry("1"));

    assertThat(alice.tasks.fail("1", "flaky", true).retry()).isTrue();
    assertThat(task("2").state()).isEqualTo(TaskState.PENDING);
    bob.tasks.retry("1");
    bob.tasks.claim("1", Terms.NONE);
    assertThat(bob.tasks.fail("1", "flaky again", true).skips()).containsExactly("2");

    ParleyException late = refused("no-retry", () -> bob.tasks.retry("1"));
    assertThat(details(late).number("tried", 0)).isEqualTo(2);
    assertThat(details(late).flag("recoverable")).isTrue();
  }

  @Test
  void toGiveATaskBackIsNoTry() {
    alice.tasks.add(planOf("1", Priority.NORMAL, List.of(), List.of(), List.of(), 1), false);
    for (int i = 0; i < 3; i++) {
      alice.tasks.claim("1", Terms.NONE);
      alice.tasks.release("1", "not now");
    }

    assertThat(task("1").state()).isEqualTo(TaskState.READY);
    assertThat(task("1").tried()).isZero();
    refused("not-yours", () -> alice.tasks.release("1", null));
  }

  @Test
  void aTaskIsCancelledWithAReasonWhoeverHasIt() {
    alice.tasks.add(plan("1"), false);
    alice.tasks.add(plan("2", "1"), false);
    bob.tasks.claim("1", Terms.NONE);
    var _ = bob.locks.lock(LockRequest.of("a").forTask("1"));

    refused("no-reason", () -> alice.tasks.cancel("1", ""));
    assertThat(alice.tasks.cancel("1", "not needed")).containsExactly("2");

    assertThat(task("1").state()).isEqualTo(TaskState.CANCELLED);
    assertThat(task("1").note()).isEqualTo("not needed");
    assertThat(bob.locks.own()).isEmpty();
    refused("not-yours", () -> bob.tasks.done("1", null, List.of(), null));
    refused("over", () -> alice.tasks.cancel("1", "again"));
  }

  @Test
  void aClaimEndsWithTheSilenceOfItsOwnerAndItsLeasesForTheTaskToo() {
    alice.tasks.add(plan("1"), false);
    bob.tasks.claim("1", Terms.NONE);
    var _ = bob.locks.lock(LockRequest.of("a").forTask("1"));
    var _ = bob.locks.lock(LockRequest.of("b"));
    alice.team.sessions().claimsOutlast("alice", SECOND);

    pass(Duration.ofMillis(1_100));

    assertThat(task("1").state()).isEqualTo(TaskState.READY);
    assertThat(task("1").note()).contains("bob was silent");
    assertThat(ledger().leases().all())
        .extracting(lease -> lease.paths().getFirst().toString())
        .containsExactly("b");
    refused("not-yours", () -> bob.tasks.done("1", null, List.of(), null));
    assertThat(alice.tasks.claim("1", Terms.NONE).task()).isEqualTo("1");
  }

  @Test
  void aClaimWithATimeEndsUnlessSomethingIsSaidAboutTheTask() {
    alice.tasks.add(plan("1"), false);
    bob.tasks.claim("1", new Terms(List.of(), Duration.ofSeconds(2)));

    for (int i = 0; i < 3; i++) {
      pass(SECOND);
      bob.tasks.alive("1");
    }
    assertThat(task("1").owner()).isEqualTo("bob");
    pass(SECOND);
    bob.says(); // alive, but not a word about the task
    pass(Duration.ofMillis(1_100));

    assertThat(task("1").state()).isEqualTo(TaskState.READY);
    refused("not-yours", () -> bob.tasks.alive("1"));
  }

  /** The claim of a worker that died is had by who waits for a task, with nobody else about. */
  @Test
  void whoWaitsForATaskNoticesThatAClaimIsOver() throws Exception {
    alice.tasks.add(plan("1"), false);
    bob.tasks.claim("1", new Terms(List.of(), Duration.ofSeconds(2)));
    Future<Claimed> waits = begin(() -> alice.tasks.next(Terms.NONE, LONG));

    place.pass().accept(Duration.ofSeconds(2));

    assertThat(get(waits).task()).isEqualTo("1");
  }

  @Test
  void whoSaysThatATaskIsDoneReleasesItsLeasesWithTheSameLine() {
    alice.tasks.add(plan("1"), false);
    alice.tasks.claim("1", Terms.NONE);
    var _ = alice.locks.lock(LockRequest.of("a", "b").forTask("1"));
    Grant other = alice.locks.lock(LockRequest.of("c"));
    int before = lines().size();

    alice.tasks.done("1", "abc123", List.of("a"), "all tests pass");

    assertThat(lines()).hasSize(before + 1);
    assertThat(alice.locks.own()).extracting(Lease::token).containsExactly(other.token());
    assertThat(task("1").state()).isEqualTo(TaskState.DONE);
    assertThat(task("1").result().commit()).isEqualTo("abc123");
    assertThat(task("1").result().files()).containsExactly("a");
  }

  @Test
  void tasksThatWouldDependOnThemselvesAreRefusedWhenTheyAreAdded() {
    refused("unknown-task", () -> alice.tasks.add(plan("1", "2"), false));
    assertThat(alice.tasks.add(plan("1", "2"), true)).isEqualTo("pending");
    alice.tasks.add(plan("2", "3"), true);

    ParleyException circle = refused("task-cycle", () -> alice.tasks.add(plan("3", "1"), false));

    assertThat(details(circle).texts("cycle")).containsExactly("3", "1", "2", "3");
    refused("task-cycle", () -> alice.tasks.add(plan("4", "4"), true));
    refused("task-exists", () -> alice.tasks.add(plan("1"), false));
    assertThat(alice.tasks.add(plan("3"), false)).isEqualTo("ready");
  }

  @Test
  void whatWasSaidAboutATaskHoldsUntilSomethingElseIsSaid() {
    alice.tasks.add(plan("1"), false);
    alice.tasks.claim("1", Terms.NONE);
    alice.tasks.progress("1", 40, "half of it");
    alice.tasks.block("1", "bob", "a question");
    alice.tasks.alive("1");

    assertThat(task("1").state()).isEqualTo(TaskState.BLOCKED);
    assertThat(task("1").claim().blockedOn()).isEqualTo("bob");
    assertThat(task("1").claim().progress()).isEqualTo(40);
    assertThat(task("1").note()).isEqualTo("a question");
    alice.tasks.progress("1", null, "answered");

    assertThat(task("1").state()).isEqualTo(TaskState.CLAIMED);
    assertThat(task("1").claim().blockedOn()).isNull();
    assertThat(task("1").claim().progress()).isEqualTo(40);
    refused("not-yours", () -> bob.tasks.progress("1", 1, null));
    refused("not-yours", () -> bob.tasks.block("1", "alice", null));
  }

  // Waits

  /** Seed 1.6. */
  @Test
  void aWaitThatWouldCloseACircleIsRefusedAtOnceAndNamesIt() throws Exception {
    // alice holds a path, bob has a task, carol waits for an answer.
    var _ = alice.locks.lock(LockRequest.of("a"));
    alice.tasks.add(plan("1"), false);
    bob.tasks.claim("1", Terms.NONE);
    alice.tasks.add(plan("2", "1"), false);
    Future<Grant> waits = bob.waitsFor(LockRequest.of("a"));
    long question = carol.team.waits(carol.session).begin("task:2", "", "a question", LONG);

    ParleyException circle =
        refused(
            "would-deadlock", () -> alice.team.waits(alice.session).begin("carol", "", null, LONG));

    assertThat(details(circle).texts("cycle"))
        .containsExactly("alice", "carol", "task:2", "task:1", "bob", "alice");
    carol.team.waits(carol.session).end(question);
    assertThat(alice.team.waits(alice.session).begin("carol", "", null, LONG)).isPositive();
    refused("would-deadlock", () -> carol.locks.lock(LockRequest.of("a"), LONG));
    alice.tasks.add(plan("3"), false);
    carol.tasks.claim("3", Terms.NONE);
    refused("would-deadlock", () -> carol.tasks.block("3", "path:a", null));
    assertThat(ledger().graph().cycles()).isEmpty();
    waits.cancel(true);
  }

  @Test
  void aClaimOrANewTaskThatWouldCloseACircleIsRefusedAsWell() {
    alice.tasks.add(plan("1"), false);
    var _ = bob.team.waits(bob.session).begin("task:1", "", null, LONG);
    var _ = alice.team.waits(alice.session).begin("bob", "", null, LONG);

    assertThat(
            details(refused("would-deadlock", () -> alice.tasks.claim("1", Terms.NONE)))
                .texts("cycle"))
        .containsExactly("alice", "bob", "task:1", "alice");
    refused("nothing-ready", () -> alice.tasks.next(Terms.NONE));
    carol.tasks.add(plan("mine"), false);
    carol.tasks.claim("mine", Terms.NONE);
    alice.tasks.add(plan("x", "y"), true);
    var _ = carol.team.waits(carol.session).begin("task:x", "", null, LONG);
    refused("would-deadlock", () -> alice.tasks.add(plan("y", "mine"), false));
    assertThat(ledger().graph().cycles()).isEmpty();
  }

  /** Seed 1.6. */
  @Test
  void aCircleThatOtherToolsReportIsListedWithWhoShouldGiveWayAndWhy() {
    var _ = alice.locks.lock(LockRequest.of("a"));
    var _ = bob.locks.lock(LockRequest.of("b"));
    var _ = bob.locks.lock(LockRequest.of("c"));
    report(alice, "FILE_UNLOCK_b");
    report(bob, "alice");

    List<WaitGraph.Cycle> cycles = ledger().graph().cycles();

    assertThat(cycles).hasSize(1);
    assertThat(cycles.getFirst().members()).containsExactly("alice", "bob", "alice");
    assertThat(cycles.getFirst().victim()).isEqualTo("alice");
    assertThat(cycles.getFirst().why()).contains("holds the least (1 leases)");
    bob.locks.releaseAll();
    assertThat(ledger().graph().cycles()).isEmpty();
    assertThat(ledger().graph().edges())
        .containsExactly(new WaitGraph.Edge("bob", "alice", "waits for agent:alice"));
  }

  private static void report(Agent agent, String target) {
    Outcome outcome = agent.asks(WaitTypes.REPORT, Json.object().put("for", target));
    assertThat(outcome.isAccepted()).isTrue();
  }

  /** Seed 1.2: {@code waiting_for} may be a worker, a task, a path or FILE_UNLOCK_ and a path. */
  @Test
  void oneCanWaitForAnAgentATaskAndAPathUntilThatIsOver() throws Exception {
    Grant grant = alice.locks.lock(LockRequest.of("src/"));
    alice.tasks.add(plan("1"), false);
    alice.tasks.claim("1", Terms.NONE);
    List<Future<Boolean>> waits = new ArrayList<>();
    for (String target : List.of("FILE_UNLOCK_src/a.ts", "path:src/b", "src/", "task:1", "1")) {
      waits.add(begin(() -> bob.team.waits(bob.session).until(target, "", LONG)));
    }
    Future<Boolean> left = begin(() -> carol.team.waits(carol.session).until("alice", "", LONG));
    await("all wait").until(() -> ledger().waits().all().size() == 6);
    assertThat(ledger().graph().from("bob"))
        .extracting(WaitGraph.Edge::to)
        .containsOnly("alice", "task:1");

    alice.locks.release(grant.token());
    alice.tasks.fail("1", "no", true);
    for (Future<Boolean> wait : waits) {
      assertThat(get(wait)).isTrue();
    }
    assertThat(left.isDone()).isFalse();
    alice.team.sessions().leave(alice.session, null);

    assertThat(get(left)).isTrue();
    assertThat(ledger().waits().all()).isEmpty();
    refused(
        "unknown-target", () -> bob.team.waits(bob.session).until("agent:zoe", "", Duration.ZERO));
  }

  @Test
  void aTaskThatNobodyHasAddedYetIsWaitedFor() throws Exception {
    Future<Boolean> waits = begin(() -> bob.team.waits(bob.session).until("task:9", "", LONG));
    await("waiting").until(() -> !ledger().waits().all().isEmpty());

    alice.tasks.add(plan("9"), false);
    alice.tasks.claim("9", Terms.NONE);
    assertThat(ledger().graph().from("task:9")).extracting(WaitGraph.Edge::to).contains("alice");
    assertThat(waits.isDone()).isFalse();
    alice.tasks.done("9", null, List.of(), null);

    assertThat(get(waits)).isTrue();
    assertThat(bob.team.waits(bob.session).until("task:9", "", Duration.ZERO)).isTrue();
  }

  @Test
  void aTaskIsNotAddedThatWouldCloseACircleWithWhoWaitsForItAlready() {
    alice.tasks.add(plan("1"), false);
    alice.tasks.claim("1", Terms.NONE);
    var _ = alice.team.waits(alice.session).begin("task:2", "", null, LONG);

    refused("would-deadlock", () -> bob.tasks.add(plan("2", "1"), false));
    alice.tasks.done("1", null, List.of(), null);
    bob.tasks.add(plan("2", "1"), false);
    refused("would-deadlock", () -> alice.tasks.claim("2", Terms.NONE));
  }

  @Test
  void whatWasOverBeforeAPositionIsWaitedForAnew() throws Exception {
    WaitService waiting = bob.team.waits(bob.session);
    alice.tasks.add(plan("1"), false);
    alice.tasks.claim("1", Terms.NONE);
    alice.tasks.fail("1", "no", true);
    Position failed = lines().getLast().position();
    alice.says();

    assertThat(waiting.until("task:1", "", Position.START, LONG)).isEqualTo(failed);
    assertThat(waiting.until("task:1", "", new Position(failed.value() - 1), LONG))
        .isEqualTo(failed);
    assertThat(waiting.until("task:1", "", failed, Duration.ofMillis(20))).isNull();
    Future<Position> waits = begin(() -> waiting.until("task:1", "", failed, LONG));
    alice.tasks.retry("1");
    await("it can end again").until(() -> !ledger().waits().all().isEmpty());
    alice.tasks.claim("1", Terms.NONE);
    alice.tasks.done("1", null, List.of(), null);
    Position done = lines().getLast().position();

    assertThat(get(waits)).isEqualTo(done);
    assertThat(waiting.until("task:1", "", failed, Duration.ZERO)).isEqualTo(done);
    assertThat(waiting.until("task:1", "", done, Duration.ZERO)).isNull();
    refused("unknown-target", () -> waiting.until("agent:zoe", "", done, Duration.ZERO));
  }

  @Test
  void thatAPathIsFreeCountsOnlyIfItWasTakenSince() throws Exception {
    WaitService waiting = bob.team.waits(bob.session);
    Grant first = alice.locks.lock(LockRequest.of("a"));
    alice.locks.release(first.token());
    Position free = lines().getLast().position();
    assertThat(waiting.until("path:a", "", Position.START, LONG)).isEqualTo(free);
    Future<Position> waits = begin(() -> waiting.until("path:a", "", free, LONG));

    Grant second = alice.locks.lock(LockRequest.of("a"));
    await("in sight of all").until(() -> !ledger().waits().all().isEmpty());
    alice.locks.release(second.token());

    assertThat(get(waits)).isGreaterThan(free);
  }

  @Test
  void aWaitThatIsNotOverInTimeSaysSoAndIsSeenNoMore() throws Exception {
    assertThat(bob.team.waits(bob.session).until("alice", "", Duration.ofMillis(20))).isFalse();

    assertThat(ledger().waits().all()).isEmpty();
    assertThat(ledger().graph().edges()).isEmpty();
  }

  @Test
  void thatItsTimeIsOverInTheLedgerDoesNotMakeAnAwaitedThingOver() throws Exception {
    Duration brief = Duration.ofSeconds(2);
    Future<Boolean> waits = begin(() -> bob.team.waits(bob.session).until("alice", "", brief));
    await("waiting").until(() -> !ledger().waits().all().isEmpty());
    long first = ledger().waits().all().iterator().next().position();

    pass(brief.plus(SECOND)); // in memory bob, who has another clock, waits on
    await("gone").until(() -> ledger().waits().find(first) == null);

    assertThat(get(waits)).isFalse();
  }

  @Test
  void whoWaitsForAPathWaitsOnceMoreIfAnotherHasItThen() throws Exception {
    Grant first = alice.locks.lock(LockRequest.of("src/a"));
    Future<Boolean> waits = begin(() -> bob.team.waits(bob.session).until("path:src/", "", LONG));
    await("waiting").until(() -> !ledger().waits().all().isEmpty());
    Grant second = carol.locks.lock(LockRequest.of("src/b"));

    alice.locks.release(first.token());
    await("waits for carol")
        .until(() ->
            ledger().graph().from("bob").stream().anyMatch(edge -> edge.to().equals("carol")));
    carol.locks.release(second.token());

    assertThat(get(waits)).isTrue();
  }

  @Test
  void edgesEndWithTheirCause() {
    alice.tasks.add(plan("1"), false);
    alice.tasks.add(plan("2"), false);
    alice.tasks.claim("1", Terms.NONE);
    bob.tasks.claim("2", Terms.NONE);
    var _ = bob.locks.lock(LockRequest.of("a"));

    alice.tasks.block("1", "FILE_UNLOCK_a", null);
    assertThat(edgesOfAlice()).containsExactly("bob");
    var _ = bob.locks.releaseAll();
    assertThat(edgesOfAlice()).isEmpty();
    alice.tasks.block("1", "2", null);
    assertThat(edgesOfAlice()).containsExactly("task:2");
    bob.tasks.done("2", null, List.of(), null);
    assertThat(edgesOfAlice()).isEmpty();
    alice.tasks.block("1", "bob", null);
    assertThat(edgesOfAlice()).containsExactly("bob");
    bob.team.sessions().leave(bob.session, null);
    assertThat(edgesOfAlice()).isEmpty();
    alice.tasks.block("1", "carol", null);
    alice.tasks.done("1", null, List.of(), null);
    assertThat(ledger().graph().edges()).isEmpty();
  }

  private Collection<String> edgesOfAlice() {
    return ledger().graph().from("alice").stream().map(WaitGraph.Edge::to).toList();
  }

  // The worker protocol

  private Worker worker(Agent agent) {
    return agent.team.worker(agent.session, Worker.GRACE);
  }

  private static Plan withFiles(String id, String... files) {
    return planOf(id, Priority.NORMAL, List.of(), List.of(files), List.of(), Plan.TRIES);
  }

  /** Seed 1.10. */
  @Test
  void aWorkerTakesThePathsOfItsTaskAndGivesEverythingBackAtTheEnd() throws Exception {
    alice.tasks.add(withFiles("1", "src/a.ts"), false);
    alice.tasks.add(plan("2", "1"), false);
    refused("not-ready", () -> worker(bob).start("2", List.of(), "", Duration.ZERO));

    try (Worker.Job job = worker(bob).start("1", List.of("docs/"), "", Duration.ZERO)) {
      assertThat(job.lost()).isNull();
      assertThat(alice.locks.isGood(job.token(), "src/a.ts", "")).isTrue();
      assertThat(bob.locks.own())
          .extracting(lease -> lease.paths().toString())
          .containsExactlyInAnyOrder("[src/a.ts]", "[docs/]");
      refused("claimed", () -> worker(alice).start("1", List.of(), "", Duration.ZERO));
      job.progress(50, "half");
      assertThat(job.done("abc", List.of("src/a.ts"), "good")).containsExactly("2");
    }

    assertThat(ledger().leases().all()).isEmpty();
    assertThat(task("1").state()).isEqualTo(TaskState.DONE);
    assertThat(task("2").state()).isEqualTo(TaskState.READY);
  }

  /** Seed 1.10. */
  @Test
  void aWorkerWhosePathsAreHeldStandsInLineAndClaimsTheTaskWhenTheyAreFree() throws Exception {
    Grant held = alice.locks.lock(LockRequest.of("src/").in("tree", false));
    alice.tasks.add(withFiles("1", "docs/", "src/a.ts"), false);
    Future<Worker.Job> starts =
        begin(() -> worker(bob).start("1", List.of(), "tree", Duration.ofMinutes(1)));
    await("in line").until(() -> !ledger().graph().from("bob").isEmpty());
    assertThat(task("1").state()).isEqualTo(TaskState.READY);
    assertThat(ledger().graph().from("bob")).extracting(WaitGraph.Edge::to).containsOnly("alice");

    alice.locks.release(held.token());

    try (Worker.Job job = get(starts)) {
      assertThat(task("1").state()).isEqualTo(TaskState.CLAIMED);
      assertThat(alice.locks.isGood(job.token(), "src/a.ts", "tree")).isTrue();
      job.fail("does not work", false);
    }
    assertThat(task("1").state()).isEqualTo(TaskState.FAILED);
    assertThat(ledger().leases().all()).isEmpty();
  }

  @Test
  void aWorkerThatCannotHaveItsPathsGivesTheTaskBackUntried() {
    var _ = alice.locks.lock(LockRequest.of("a"));
    alice.tasks.add(withFiles("1", "a"), false);

    refused("held", () -> worker(bob).start("1", List.of(), "", Duration.ZERO));
    refused("timed-out", () -> worker(bob).start("1", List.of(), "", SECOND));

    assertThat(task("1").state()).isEqualTo(TaskState.READY);
    assertThat(task("1").tried()).isZero();
    assertThat(ledger().leases().waiters()).isEmpty();
    assertThat(ledger().graph().edges()).isEmpty();
  }

  @Test
  void aWorkerThatEndsWithoutAWordHasFailedAndMayTryAgain() throws Exception {
    alice.tasks.add(withFiles("1", "a"), false);

    worker(bob).start("1", List.of(), "", Duration.ZERO).close();

    assertThat(task("1").canBeRetried()).isTrue();
    assertThat(task("1").note()).contains("without a word");
    assertThat(ledger().leases().all()).isEmpty();
  }

  @Test
  void aWorkerThatLivesKeepsItsTaskAndItsPaths() throws Exception {
    alice.tasks.add(withFiles("1", "a"), false);
    var _ = bob.locks.lock(LockRequest.of("b").lasting(Duration.ofSeconds(2)));
    Worker worker = bob.team.worker(bob.session, Worker.LEAST_GRACE);

    try (Worker.Job job = worker.start("1", List.of("b"), "", Duration.ZERO)) {
      job.progress(30, "so far");
      for (int i = 0; i < 4; i++) {
        long before = said(TaskTypes.PROGRESS);
        await("a sign of life").until(() -> said(TaskTypes.PROGRESS) > before);
        pass(SECOND);
      }

      assertThat(job.lost()).isNull();
      assertThat(ledger().leases().all()).hasSize(2);
      assertThat(task("1").note()).isEqualTo("so far");
      job.done(null, List.of(), null);
    }
    assertThat(bob.locks.own())
        .extracting(lease -> lease.paths().toString())
        .containsExactly("[b]");
  }

  private long said(String type) {
    return lines().stream().filter(line -> line.type().equals(type)).count();
  }

  @Test
  void aWorkerLearnsThatItsTaskIsNotItsOwnAnyMoreAndItsOldClaimIsGoodForNothing() throws Exception {
    alice.tasks.add(plan("1"), false);
    Worker worker = bob.team.worker(bob.session, Worker.LEAST_GRACE);
    Worker.Job job = worker.start("1", List.of(), "", Duration.ZERO);
    bob.tasks.release("1", "by another process of bob's");
    Claimed again = bob.tasks.claim("1", Terms.NONE);
    assertThat(again.token()).isNotEqualTo(job.claimed().token());

    refused("not-yours", () -> job.progress(10, null));
    refused("not-yours", () -> job.done(null, List.of(), null));
    await("lost or ended").until(() -> task("1").state() == TaskState.CLAIMED);
    assertThat(task("1").claim().token()).isEqualTo(again.token());

    try (Worker.Job other = worker.start("1", List.of(), "", Duration.ZERO)) {
      alice.tasks.cancel("1", "not needed");
      await("lost").until(() -> other.lost() != null);
      assertThat(other.lost().code()).isEqualTo("not-yours");
      refused("not-yours", () -> other.done(null, List.of(), null));
    }
    await("told").until(() -> reports.size() == 1); // a moment after it is known to be lost
    assertThat(reports.getFirst()).isInstanceOf(Report.Stopped.class);
    reports.clear();
  }

  // Rules

  @Test
  void aProgramThatDoesNotKnowTheRulesReadsAndDoesNotDecide() {
    Grant grant = alice.locks.lock(LockRequest.of("a"));
    alice.tasks.add(plan("1"), false);
    place
        .log()
        .append(
            Ledger.TOPIC,
            List.of(
                Message.of(
                    "parley",
                    LedgerTypes.RULES,
                    Json.object().put("rules", Ledger.RULES + 1).build())));
    int before = lines().size();
    Map<String, ThrowingCallable> all =
        Map.of(
            "lock", () -> bob.locks.lock(LockRequest.of("b")),
            "wait", () -> bob.locks.lock(LockRequest.of("b"), SECOND),
            "renew", () -> alice.locks.renew(grant.token(), null),
            "release", () -> alice.locks.release(grant.token()),
            "break", () -> bob.locks.breakOff(grant.token(), "why"),
            "claim", () -> bob.tasks.claim("1", Terms.NONE),
            "next", () -> bob.tasks.next(Terms.NONE, SECOND),
            "until", () -> bob.team.waits(bob.session).until("alice", "", SECOND));

    all.forEach((what, call) -> refused("unknown-rules", call));
    // Who had not looked since may have written a line; then it was not answered.
    Collection<Envelope> asked = lines().subList(before, lines().size());
    assertThat(asked).hasSizeLessThanOrEqualTo(2);
    Ledger seen = ledger();
    assertThat(seen.rules()).isEqualTo(Ledger.RULES + 1);
    assertThat(seen.leases().all()).extracting(Lease::holder).containsExactly("alice");
    assertThat(seen.tasks().task("1").state()).isEqualTo(TaskState.READY);
  }
}
