package dev.parley.orchestration;

import dev.parley.core.Seed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Rounds of a crash test, several at a time, until there were enough kills. */
public final class Rounds {
  private static final int AT_A_TIME = 3;

  private Rounds() {}

  /** One round in a folder of its own; returns how often something was killed. */
  @FunctionalInterface
  public interface Round {
    int play(Path folder, Random random) throws Exception;
  }

  /** Plays rounds; the seed of the first is printed, those of the others follow it. */
  public static int play(Path folder, String what, int kills, Round round) throws Exception {
    long seed = Seed.random(what).nextLong();
    AtomicInteger done = new AtomicInteger();
    AtomicInteger rounds = new AtomicInteger();
    List<Future<?>> players = new ArrayList<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(AT_A_TIME)) {
      for (int i = 0; i < AT_A_TIME; i++) {
        players.add(
            pool.submit(() -> {
              while (done.get() < kills) {
                int number = rounds.getAndIncrement();
                Path where = Files.createDirectory(folder.resolve("round-" + number));
                done.addAndGet(round.play(where, new Random(seed + number)));
              }
              return null;
            }));
      }
      for (Future<?> player : players) {
        player.get();
      }
    }
    return done.get();
  }
}
