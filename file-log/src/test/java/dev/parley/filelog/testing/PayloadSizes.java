package dev.parley.filelog.testing;

import dev.parley.core.json.Json;
import java.util.Random;

/** The payload sizes of a test's writers. */
public enum PayloadSizes {
  /** Up to 300 bytes. */
  SMALL(300, 300, 0),
  /** Nine in ten small, the others up to 256 KiB: 13 KB on average. */
  MIXED(1000, 255 * 1024, 0.1),
  /** Some megabytes. */
  HUGE(8 << 20, 8 << 20, 1);

  private static final String LETTERS = letters();

  private final int usual;
  private final int largest;
  private final double largeShare;

  PayloadSizes(int usual, int largest, double largeShare) {
    this.usual = usual;
    this.largest = largest;
    this.largeShare = largeShare;
  }

  Json payload(Random random) {
    int size = random.nextInt(random.nextDouble() < largeShare ? largest : usual);
    if (this == HUGE) {
      size = largest / 2 + size / 2;
    }
    int from = random.nextInt(1024);
    return Json.of(LETTERS.substring(from, from + size));
  }

  /** Random letters, longer than the largest payload. */
  private static String letters() {
    Random random = new Random(1);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 1031; i++) {
      text.append((char) ('a' + random.nextInt(26)));
    }
    return text.toString().repeat((8 << 20) / 1031 + 2);
  }
}
