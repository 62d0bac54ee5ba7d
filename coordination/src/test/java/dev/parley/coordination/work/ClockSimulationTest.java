package dev.parley.coordination.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.Simulation;
import dev.parley.core.Seed;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Many small worlds in which every wall clock is wrong; see {@link ClockWorld}. */
class ClockSimulationTest {
  private static final int WORLDS =
      Integer.getInteger("parley.worlds", Seed.isLong() ? 1_000_000 : 10_000);

  @Test
  void nothingIsTakenFromALiveHolderAndNoLeaseLastsLongerThanItShould() {
    AtomicLong grants = new AtomicLong();
    AtomicLong corrections = new AtomicLong();
    AtomicLong told = new AtomicLong();
    Simulation.run(
        "simulation of clocks",
        WORLDS,
        ClockWorld::new,
        world -> {
          grants.addAndGet(world.grants());
          corrections.addAndGet(world.corrections());
          told.addAndGet(world.told());
        });
    assertThat(grants.get()).isGreaterThan(WORLDS * 3L);
    assertThat(corrections.get()).isGreaterThan(WORLDS / 4L);
    assertThat(told.get()).isGreaterThan(WORLDS / 20L);
    Seed.say(
        "%s worlds, %s leases, %s forged clocks taken out, %s told, no invariant broken"
            .formatted(WORLDS, grants, corrections, told));
  }
}
