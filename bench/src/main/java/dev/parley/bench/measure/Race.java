package dev.parley.bench.measure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Lets contestants run in turn, A B C A B C, so that a noisy minute hits all of them.
 *
 * <p>All stay ready while the others run. The first rounds of each are thrown away. Who can't run
 * is left out, with the reason.
 */
public final class Race implements AutoCloseable {
  private final Lab lab;
  private final Map<String, Contestant.Factory> factories = new LinkedHashMap<>();
  private final Map<String, Contestant> running = new LinkedHashMap<>();
  private final Map<String, List<Sample>> samples = new LinkedHashMap<>();
  private final Map<String, String> absent = new LinkedHashMap<>();

  public Race(Lab lab) {
    this.lab = lab;
  }

  public Race enter(String name, Contestant.Factory factory) {
    factories.put(name, factory);
    try {
      running.put(name, factory.in(lab));
      samples.put(name, new ArrayList<>());
    } catch (Exception e) {
      leave(name, e);
    }
    return this;
  }

  /** Throws the first round away. */
  public Race run(int rounds) {
    return run(1, rounds);
  }

  /** Where more threads than the machine has cores run as fast as they can: see {@link Lab}. */
  public Race runCrowded() {
    return run(lab.crowdedRoundsToWarmUp(), lab.crowdedRounds());
  }

  /**
   * Lets all run in turn.
   *
   * @param thrownAway how many rounds do not count, before those that do
   */
  public Race run(int thrownAway, int rounds) {
    for (int round = 0; round < thrownAway + rounds; round++) {
      for (Map.Entry<String, Contestant> entry : List.copyOf(running.entrySet())) {
        String name = entry.getKey();
        try {
          Sample sample = entry.getValue().round();
          if (round >= thrownAway) {
            Objects.requireNonNull(samples.get(name)).add(sample);
          }
        } catch (Exception e) {
          leave(name, e);
        }
      }
      System.err.print(round < thrownAway ? "w" : ".");
    }
    return this;
  }

  private void leave(String name, Exception reason) {
    absent.put(name, String.valueOf(reason.getMessage()));
    samples.remove(name);
    Contestant contestant = running.remove(name);
    if (contestant != null) {
      close(contestant);
    }
  }

  /** Who took part in all rounds, in the order they entered. */
  public List<String> names() {
    return List.copyOf(samples.keySet());
  }

  /** Who did not, and why. */
  public Map<String, String> absent() {
    return absent;
  }

  /** Null if that contestant was absent or did not measure that. */
  public @Nullable Stats stats(String name, String what) {
    List<Double> values = new ArrayList<>();
    for (Sample sample : samples.getOrDefault(name, List.of())) {
      Double value = sample.values().get(what);
      if (value != null) {
        values.add(value);
      }
    }
    return values.isEmpty() ? null : Stats.of(values);
  }

  /** The median, or NaN. */
  public double median(String name, String what) {
    Stats stats = stats(name, what);
    return stats == null ? Double.NaN : stats.median();
  }

  /** One contestant's median divided by another's, or NaN. */
  public double ratio(String name, String other, String what) {
    return median(name, what) / median(other, what);
  }

  /** Where the time of a contestant goes; runs it again. Null if that could not be found out. */
  public @Nullable Profile profile(String name) {
    Contestant.Factory factory = factories.get(name);
    try {
      return factory == null ? null : Profile.of(factory, lab);
    } catch (Exception e) {
      System.err.println("no profile of " + name + ": " + e.getMessage());
      return null;
    }
  }

  private static void close(Contestant contestant) {
    try {
      contestant.close();
    } catch (IOException e) {
      System.err.println("while ending a contestant: " + e);
    }
  }

  @Override
  public void close() {
    running.values().forEach(Race::close);
    running.clear();
  }
}
