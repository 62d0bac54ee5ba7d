package dev.parley.coordination.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.WorkContract;
import dev.parley.coordination.fold.Outcome;
import dev.parley.coordination.lease.Grant;
import dev.parley.coordination.ledger.WaitGraph;
import dev.parley.coordination.wait.WaitTypes;
import dev.parley.coordination.work.TaskList.Terms;
import dev.parley.core.ParleyException;
import dev.parley.core.Position;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Waits: which one is refused, and when one is over. */
class WaitServiceTest extends WorkContract {
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
}
