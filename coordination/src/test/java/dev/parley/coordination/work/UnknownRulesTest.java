package dev.parley.coordination.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.WorkContract;
import dev.parley.coordination.lease.Grant;
import dev.parley.coordination.lease.Lease;
import dev.parley.coordination.ledger.Ledger;
import dev.parley.coordination.ledger.LedgerTypes;
import dev.parley.coordination.task.TaskState;
import dev.parley.coordination.work.TaskList.Terms;
import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.json.Json;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** A program that does not know the rules reads and does not decide. */
class UnknownRulesTest extends WorkContract {
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
