package dev.parley.bench.carrier;

import java.nio.charset.StandardCharsets;

/**
 * A line of 200 bytes, its newline included, with a stamp at a fixed place.
 *
 * <pre>
 * {"t":"0000012345678901234","text":"xxxxx…"}\n
 *       └ STAMP_AT
 * </pre>
 */
public final class Text {
  public static final int LENGTH = 200;

  private static final String BEFORE = "{\"t\":\"";
  private static final String BETWEEN = "\",\"text\":\"";
  private static final String AFTER = "\"}";
  private static final int DIGITS = 19;
  private static final int STAMP_AT = BEFORE.length();

  private final byte[] bytes;

  private Text(String text) {
    this.bytes = text.getBytes(StandardCharsets.US_ASCII);
  }

  public static Text line() {
    return new Text(json(LENGTH - 1) + "\n");
  }

  /** A JSON value with a stamp, of some length. */
  static Text payload(int length) {
    return new Text(json(length));
  }

  private static String json(int length) {
    int text = length - BEFORE.length() - DIGITS - BETWEEN.length() - AFTER.length();
    return BEFORE + "0".repeat(DIGITS) + BETWEEN + "x".repeat(text) + AFTER;
  }

  /** The bytes, which the next {@link #stamp} changes. */
  byte[] bytes() {
    return bytes;
  }

  byte[] stamp(long stamp) {
    long rest = stamp;
    for (int i = STAMP_AT + DIGITS - 1; i >= STAMP_AT; i--) {
      bytes[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    return bytes;
  }

  static long stampIn(byte[] bytes, int from) {
    long stamp = 0;
    for (int i = from + STAMP_AT; i < from + STAMP_AT + DIGITS; i++) {
      stamp = 10 * stamp + bytes[i] - '0';
    }
    return stamp;
  }
}
