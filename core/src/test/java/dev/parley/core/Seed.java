package dev.parley.core;

import java.util.Random;

/** Repeatable randomness: prints its seed, or takes it from {@code -Dparley.seed}. */
public final class Seed {
  private Seed() {}

  public static Random random(String test) {
    long seed = Long.getLong("parley.seed", System.nanoTime());
    say(test + ": -Dparley.seed=" + seed);
    return new Random(seed);
  }

  /** Whether the long versions of the tests run. */
  public static boolean isLong() {
    return Boolean.getBoolean("parley.long");
  }

  /** Prints a line about a test's findings to the output of the build. */
  public static void say(String finding) {
    System.out.println("[proof] " + finding);
  }

  /** A string of up to {@code longest} characters, many of them special. */
  public static String nastyText(Random random, int longest) {
    int length = random.nextInt(longest + 1);
    StringBuilder text = new StringBuilder(length);
    while (text.length() < length) {
      switch (random.nextInt(8)) {
        case 0 -> text.append((char) random.nextInt(0x20));
        case 1 -> text.append((char) (0x7f + random.nextInt(0x22)));
        case 2 -> text.append(TROUBLE.charAt(random.nextInt(TROUBLE.length())));
        case 3 -> text.append((char) (0xd800 + random.nextInt(0x800)));
        case 4 -> text.appendCodePoint(0x10000 + random.nextInt(0x100000));
        case 5 -> text.append((char) random.nextInt(0x10000));
        default -> text.append((char) (0x20 + random.nextInt(0x5f)));
      }
    }
    return text.toString();
  }

  private static final String TROUBLE = "\"\\/{}[]:,\n\r\t\u0085\u2028\u2029\u202e\ufeff\u0000";
}
