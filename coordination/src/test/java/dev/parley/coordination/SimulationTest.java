package dev.parley.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Seed;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Many small worlds of mail in which everything goes wrong that can; see {@link World}. */
class SimulationTest {
  private static final int WORLDS =
      Integer.getInteger("parley.worlds", Seed.isLong() ? 1_000_000 : 10_000);

  @Test
  void noWorldBreaksAnInvariant() {
    AtomicLong messages = new AtomicLong();
    Simulation.run(
        "simulation", WORLDS, World::new, world -> messages.addAndGet(world.acceptedMessages()));
    assertThat(messages.get()).isGreaterThan(WORLDS * 5L);
    Seed.say(WORLDS + " worlds, " + messages + " messages accepted, no invariant broken");
  }
}
