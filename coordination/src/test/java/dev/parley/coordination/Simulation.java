package dev.parley.coordination;

import dev.parley.core.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Runs many small worlds; of one that goes wrong it leaves out what does not matter. */
public final class Simulation<W extends Simulation.World> {
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

  /** A world that went wrong. */
  private record Broken(int number, List<Long> turns, Failure failure) {}

  private final long[] seeds;
  private final Function<Random, W> begin;

  private Simulation(long[] seeds, Function<Random, W> begin) {
    this.seeds = seeds;
    this.begin = begin;
  }

  /**
   * Runs worlds on all processors. Of those that break an invariant the first one is told of, as if
   * they had been run one after the other.
   *
   * @param settled called with each world that did not, by several threads at once
   */
  public static <W extends World> void run(
      String name, int worlds, Function<Random, W> begin, Consumer<W> settled) {
    long[] seeds = Seed.random(name).longs(worlds).toArray();
    seeds[0] = Long.getLong("parley.world", seeds[0]);
    Simulation<W> simulation = new Simulation<>(seeds, begin);
    IntStream.range(0, worlds)
        .parallel()
        .mapToObj(number -> simulation.runOne(number, settled))
        .filter(Objects::nonNull)
        .findFirst()
        .ifPresent(simulation::fail);
  }

  /** Gives back what went wrong, or null. */
  private Broken runOne(int number, Consumer<W> settled) {
    Random random = new Random(seeds[number]);
    List<Long> turns = new ArrayList<>();
    for (int turn = 10 + random.nextInt(MOST_TURNS - 10); turn > 0; turn--) {
      turns.add(random.nextLong());
    }
    Failure failure = live(number, turns, settled);
    return failure == null ? null : new Broken(number, turns, failure);
  }

  private Failure live(int number, List<Long> turns, Consumer<W> settled) {
    W world = begin.apply(new Random(seeds[number]));
    try {
      for (long turn : turns) {
        world.turn(new Random(turn));
      }
      world.settle();
    } catch (RuntimeException e) {
      return new Failure(e, world.wholeLog());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted in world " + number, e);
    }
    settled.accept(world);
    return null;
  }

  private void fail(Broken broken) {
    Failure shortest = shorten(broken);
    throw new AssertionError(
        "world %s (-Dparley.world=%s) after\n%s"
            .formatted(broken.number, seeds[broken.number], shortest.log),
        shortest.error);
  }

  /** Leaves out every turn without which the same goes wrong. */
  private Failure shorten(Broken broken) {
    Failure shortest = broken.failure;
    List<Long> left = new ArrayList<>(broken.turns);
    for (int i = left.size() - 1; i >= 0; i--) {
      List<Long> fewer = new ArrayList<>(left);
      fewer.remove(i);
      Failure same = live(broken.number, fewer, world -> {});
      if (same != null && same.isLike(broken.failure)) {
        left = fewer;
        shortest = same;
      }
    }
    return shortest;
  }
}
