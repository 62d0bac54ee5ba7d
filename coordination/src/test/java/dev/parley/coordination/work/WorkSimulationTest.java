package dev.parley.coordination.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.coordination.Simulation;
import dev.parley.core.Seed;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Many small worlds of leases, tasks and waits; see {@link WorkWorld}. */
class WorkSimulationTest {
  private static final int WORLDS =
      Integer.getInteger("parley.worlds", Seed.isLong() ? 1_000_000 : 10_000);

  @Test
  void noWorldBreaksAnInvariant() throws InterruptedException {
    AtomicLong grants = new AtomicLong();
    AtomicLong lines = new AtomicLong();
    Simulation.run(
        "simulation of work",
        WORLDS,
        WorkWorld::new,
        world -> {
          grants.addAndGet(world.watcher().grants());
          lines.addAndGet(world.watcher().position());
        });
    assertThat(grants.get()).isGreaterThan(WORLDS * 5L);
    Seed.say(WORLDS + " worlds, " + lines + " lines, " + grants + " leases, no invariant broken");
  }
}
