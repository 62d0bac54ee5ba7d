package dev.parley.filelog;

import java.util.Random;

/** Where the random choices of a test come from: printed, and given with {@code -Dparley.seed}. */
final class Seed {
  private Seed() {}

  static Random random(String test) {
    long seed = Long.getLong("parley.seed", System.nanoTime());
    say(test + ": -Dparley.seed=" + seed);
    return new Random(seed);
  }

  /** Whether the long versions of the proofs are wanted. */
  static boolean isLong() {
    return Boolean.getBoolean("parley.long");
  }

  /** A line of a test's findings, for whoever reads the build's output. */
  static void say(String finding) {
    System.out.println("[proof] " + finding);
  }
}
