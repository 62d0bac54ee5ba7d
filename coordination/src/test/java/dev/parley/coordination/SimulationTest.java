package dev.parley.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Many small worlds in which everything goes wrong that can; see {@link World}. */
class SimulationTest {
  private static final int WORLDS = Seed.isLong() ? 1_000_000 : 10_000;
  private static final int MOST_TURNS = 60;

  /** What went wrong, and the log it left. */
  private record Failure(RuntimeException error, String log) {
    boolean isLike(Failure other) {
      return kind().equals(other.kind());
    }

    private String kind() {
      String message = String.valueOf(error.getMessage());
      return error.getClass().getName() + message.substring(0, Math.min(12, message.length()));
    }
  }

  private long messages;

  @Test
  void noWorldBreaksAnInvariant() throws InterruptedException {
    Random seeds = Seed.random("simulation");
    for (int i = 0; i < WORLDS; i++) {
      long seed = i == 0 ? Long.getLong("parley.world", seeds.nextLong()) : seeds.nextLong();
      Random random = new Random(seed);
      List<Long> turns = new ArrayList<>();
      for (int turn = 10 + random.nextInt(MOST_TURNS - 10); turn > 0; turn--) {
        turns.add(random.nextLong());
      }
      Failure failure = run(seed, turns);
      if (failure != null) {
        Failure shortest = shorten(seed, turns, failure);
        throw new AssertionError(
            "world " + i + " (-Dparley.world=" + seed + ") after\n" + shortest.log, shortest.error);
      }
    }
    assertThat(messages).isGreaterThan(WORLDS * 5L);
    Seed.say(WORLDS + " worlds, " + messages + " messages accepted, no invariant broken");
  }

  private Failure run(long seed, List<Long> turns) throws InterruptedException {
    World world = new World(new Random(seed));
    try {
      for (long turn : turns) {
        world.turn(new Random(turn));
      }
      world.settle();
      messages += world.acceptedMessages();
      return null;
    } catch (RuntimeException e) {
      return new Failure(e, world.wholeLog());
    }
  }

  /** Leaves out every turn without which the same goes wrong. */
  private Failure shorten(long seed, List<Long> turns, Failure failure)
      throws InterruptedException {
    Failure shortest = failure;
    List<Long> left = new ArrayList<>(turns);
    for (int i = left.size() - 1; i >= 0; i--) {
      List<Long> fewer = new ArrayList<>(left);
      fewer.remove(i);
      Failure same = run(seed, fewer);
      if (same != null && same.isLike(failure)) {
        left = fewer;
        shortest = same;
      }
    }
    return shortest;
  }
}
