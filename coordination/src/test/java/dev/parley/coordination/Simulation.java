package dev.parley.coordination;

import dev.parley.core.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;

/** Runs many small worlds; of one that goes wrong it leaves out what does not matter. */
public final class Simulation {
  private static final int MOST_TURNS = 60;

  /** A few agents with troubles of their own, and someone who watches them. */
  public interface World {
    /** One turn of one agent. */
    void turn(Random random) throws InterruptedException;

    /** All comes to an end, and what must be so then is. */
    void settle() throws InterruptedException;

    String wholeLog();
  }

  /** What must never happen did. */
  public static final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Violation(String invariant, String what) {
      super(invariant + ": " + what);
    }
  }

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

  private final Function<Random, World> begin;

  private Simulation(Function<Random, World> begin) {
    this.begin = begin;
  }

  /**
   * Runs worlds until one breaks an invariant.
   *
   * @param settled called with each world that did not
   */
  public static <W extends World> void run(
      String name, int worlds, Function<Random, W> begin, Consumer<W> settled)
      throws InterruptedException {
    Random seeds = Seed.random(name);
    for (int i = 0; i < worlds; i++) {
      long seed = i == 0 ? Long.getLong("parley.world", seeds.nextLong()) : seeds.nextLong();
      Random random = new Random(seed);
      List<Long> turns = new ArrayList<>();
      for (int turn = 10 + random.nextInt(MOST_TURNS - 10); turn > 0; turn--) {
        turns.add(random.nextLong());
      }
      List<W> world = new ArrayList<>();
      Simulation simulation =
          new Simulation(own -> {
            W begun = begin.apply(own);
            world.add(begun);
            return begun;
          });
      Failure failure = simulation.live(seed, turns);
      if (failure != null) {
        Failure shortest = simulation.shorten(seed, turns, failure);
        throw new AssertionError(
            "world " + i + " (-Dparley.world=" + seed + ") after\n" + shortest.log, shortest.error);
      }
      settled.accept(world.getFirst());
    }
  }

  private Failure live(long seed, List<Long> turns) throws InterruptedException {
    World world = begin.apply(new Random(seed));
    try {
      for (long turn : turns) {
        world.turn(new Random(turn));
      }
      world.settle();
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
      Failure same = live(seed, fewer);
      if (same != null && same.isLike(failure)) {
        left = fewer;
        shortest = same;
      }
    }
    return shortest;
  }
}
