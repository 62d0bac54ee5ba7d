package dev.parley.coordination.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.WorkContract;
import dev.parley.coordination.lease.Grant;
import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.lease.LeaseScope;
import dev.parley.coordination.lease.LeaseTerms;
import dev.parley.coordination.lease.LeaseTypes;
import dev.parley.coordination.lease.Waiter;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.task.Claim;
import dev.parley.coordination.task.Plan;
import dev.parley.coordination.task.TaskState;
import dev.parley.coordination.task.TaskTypes;
import dev.parley.coordination.work.TaskList.Terms;
import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Leases: who holds a path, who waits for it, and for how long. */
class LocksTest extends WorkContract {
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
    var _ = alice.locks.lock(LockRequest.of("src/").in("one", false).covering(LeaseScope.TREE));

    refused("held", () -> bob.locks.lock(LockRequest.of("src/a.ts").in("two", false)));
    Grant warned =
        bob.locks.lock(LockRequest.of("src/a.ts").in("two", false).covering(LeaseScope.TREE));
    assertThat(warned.elsewhere()).hasSize(1);
    assertThat(warned.elsewhere().getFirst().holder()).isEqualTo("alice");
    assertThat(warned.elsewhere().getFirst().terms().tree()).isEqualTo("one");
    assertThat(
            bob.locks
                .lock(LockRequest.of("docs/").in("two", false).covering(LeaseScope.TREE))
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
        alice.locks.lock(LockRequest.of("src/", "*.md").in("one", false).covering(LeaseScope.TREE));

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
}
