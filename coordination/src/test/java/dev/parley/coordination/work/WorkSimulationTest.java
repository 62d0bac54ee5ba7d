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
  void noWorldBreaksAnInvariant() {
    AtomicLong grants = new AtomicLong();
    AtomicLong reported = new AtomicLong();
    AtomicLong lines = new AtomicLong();
    Simulation.run(
        "simulation of work",
        WORLDS,
        WorkWorld::new,
        world -> {
          grants.addAndGet(world.watcher().grants());
          reported.addAndGet(world.watcher().reported());
          lines.addAndGet(world.watcher().position());
        });
    assertThat(grants.get()).isGreaterThan(WORLDS * 5L);
    assertThat(reported.get()).isGreaterThan(WORLDS);
    Seed.say(
        "%s worlds, %s lines, %s leases, %s of them reported, no invariant broken"
            .formatted(WORLDS, lines, grants, reported));
  }
}
