package dev.parley.mcp.wake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Agent;
import dev.parley.Parley;
import dev.parley.coordination.mail.Draft;
import dev.parley.coordination.mail.MailFilter;
import dev.parley.coordination.mailbox.DeliveryState;
import dev.parley.coordination.wake.Wake;
import dev.parley.coordination.wake.WakeLimit;
import dev.parley.coordination.wake.WakeState;
import dev.parley.coordination.wake.WakeWay;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WakerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir Path temp;
  private Path bus;
  private Parley parley;
  private Agent alice;
  private Agent bob;

  @BeforeEach
  void begin() {
    bus = temp.resolve(".parley");
    parley = Parley.create(bus);
    alice = parley.join("alice");
    bob = parley.join("bob");
    limit(bob, WakeLimit.GATHER, 0);
    limit(bob, WakeLimit.COOL_DOWN, 0);
    bob.waking().way("test", WakeWay.PROGRAM, null);
  }

  @AfterEach
  void end() {
    parley.close();
  }

  private static void limit(Agent agent, WakeLimit limit, long value) {
    agent.waking().setLimits(agent.waking().now().limits().with(limit, value));
  }

  private static void tell(Agent from, String to) {
    var _ = from.mail().send(Draft.to(to).says("", "MARKED BODY"));
  }

  private List<WakeState> states(String agent) {
    return parley.wakes(agent).all().stream().map(Wake::state).toList();
  }

  private Waker.Granted next(Agent agent) throws InterruptedException {
    return new Waker(agent).next(PATIENCE);
  }

  @Test
  void manyMessagesAreOneNoticeWithoutTheirBodiesAndNoneIsToldTwice() throws InterruptedException {
    tell(alice, "bob");
    tell(alice, "bob");
    tell(alice, "bob");

    Waker.Granted granted = next(bob);

    assertThat(granted.notice()).isEqualTo("3 unread from alice: call inbox.");
    assertThat(granted.wake().mail()).hasSize(3);
    assertThat(states("bob")).containsExactly(WakeState.REQUESTED);
    new Waker(bob).delivered(granted);
    assertThat(states("bob")).containsExactly(WakeState.DELIVERED);
    assertThat(bob.mail().inbox(MailFilter.ANY))
        .allSatisfy(letter -> assertThat(letter.state()).isEqualTo(DeliveryState.DELIVERED));
    assertThat(new Waker(bob).next(Duration.ZERO)).isNull();
  }

  @Test
  void theAgentIsWokenOnlyOnceItHasActed() throws InterruptedException {
    tell(alice, "bob");
    new Waker(bob).delivered(next(bob));

    assertThat(states("bob")).containsExactly(WakeState.DELIVERED);
    bob.waking().acted();
    bob.waking().acted();

    assertThat(states("bob")).containsExactly(WakeState.WOKEN);
    assertThat(parley.wakes("bob").last().steps()).hasSize(3);
  }

  @Test
  void whatTheHostDoesNotTakeHasFailedAndTheMailIsNotDelivered() throws InterruptedException {
    BlockingQueue<String> calls = new LinkedBlockingQueue<>();
    Thread waiting =
        Thread.ofPlatform()
            .start(() -> {
              try {
                new Waker(bob)
                    .wakeWith(notice -> {
                      calls.add(notice);
                      if (calls.size() == 1) {
                        throw new CannotWakeException("made-up");
                      }
                    });
              } catch (InterruptedException e) {
                // The test is over.
              }
            });
    tell(alice, "bob");
    Awaitility.await().atMost(PATIENCE).until(() -> states("bob").contains(WakeState.DELIVERED));
    waiting.interrupt();
    waiting.join();

    assertThat(states("bob")).containsExactly(WakeState.FAILED, WakeState.DELIVERED);
    assertThat(parley.wakes("bob").all().getFirst().why()).isEqualTo("made-up");
    assertThat(calls.poll(0, TimeUnit.SECONDS))
        .isEqualTo("Parley: 1 unread from alice: call inbox.");
  }

  @Test
  void whereThereIsNoWayNobodyIsWokenAndThatIsShown() throws InterruptedException {
    bob.waking().way("gemini", WakeWay.NONE, "host-has-no-way");
    tell(alice, "bob");

    assertThat(next(bob)).isNull();
    assertThat(states("bob")).isEmpty();
    Wakefulness shown = Wakefulness.of(bus, "bob", parley.wakes("bob"));
    assertThat(shown.able()).isFalse();
    assertThat(shown.why()).isEqualTo("host-has-no-way");
    assertThat(alice.mail().sent().getFirst().state()).isEqualTo("stored");
  }

  @Test
  void aWayCountsOnlyWhileSomebodyWaits() throws Exception {
    assertThat(Wakefulness.of(bus, "bob", parley.wakes("bob")).why()).isEqualTo("nobody-waits");
    try (WaiterLock lock = WaiterLock.take(bus, "bob")) {
      assertThat(lock).isNotNull();
      assertThat(WaiterLock.take(bus, "bob")).isNull();
      assertThat(Wakefulness.of(bus, "bob", parley.wakes("bob")).able()).isTrue();
    }
    assertThat(Wakefulness.of(bus, "bob", parley.wakes("bob")).able()).isFalse();
    assertThat(Wakefulness.of(bus, "alice", parley.wakes("alice")).why()).isEqualTo("not-known");
  }

  @Test
  void twoThatWakeEachOtherComeToRestAndAPersonStillGetsThrough() throws InterruptedException {
    limit(alice, WakeLimit.GATHER, 0);
    limit(alice, WakeLimit.COOL_DOWN, 0);
    alice.waking().way("test", WakeWay.PROGRAM, null);
    List<Agent> pair = List.of(bob, alice);
    tell(alice, "bob");
    int wakes = 0;
    for (Agent woken = bob; ; woken = pair.get(wakes % 2)) {
      Waker.Granted granted = new Waker(woken).next(Duration.ofSeconds(1));
      if (granted == null) {
        break;
      }
      wakes++;
      new Waker(woken).delivered(granted);
      woken.waking().acted();
      tell(woken, woken == bob ? "alice" : "bob");
    }

    assertThat(wakes).isBetween(8, 10);
    Agent resting = pair.get(wakes % 2);
    assertThat(resting.waking().untilAllowed(Waker.news(resting)))
        .isGreaterThan(Duration.ofMinutes(9));
    Agent human = parley.join("human");
    tell(human, resting.name());
    assertThat(next(resting).wake().from()).contains("human");
  }

  @Test
  void aCoolDownDelaysTheNextWakeAndDoesNotLoseIt() throws InterruptedException {
    limit(bob, WakeLimit.COOL_DOWN, 1);
    tell(alice, "bob");
    new Waker(bob).delivered(next(bob));
    bob.waking().acted();
    tell(alice, "bob");

    assertThat(bob.waking().untilAllowed(Waker.news(bob))).isPositive();
    assertThat(next(bob).wake().state()).isEqualTo(WakeState.REQUESTED);
    assertThat(states("bob")).containsExactly(WakeState.WOKEN, WakeState.REQUESTED);
  }
}
