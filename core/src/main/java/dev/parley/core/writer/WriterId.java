package dev.parley.core.writer;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Names one opened log in one process: 80 bits, random or made with a {@link WriterKey}, written as
 * 16 characters {@code a-z2-7}.
 *
 * <p>An envelope's id is the writer, a hyphen, and the number of the message among all the writer's
 * messages, without leading zeros.
 */
public final class WriterId {
  private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
  public static final int LENGTH = 16;
  private static final int HALF = 8;
  private static final int MAX_DIGITS = 18;
  private static final int RANDOM_BYTES = 10;

  private final long high;
  private final long low;

  /** The characters and the hyphen that follows them in an id: compared for each line. */
  private final byte[] prefix = new byte[LENGTH + 1];

  /**
   * Takes the 80 bits.
   *
   * @param high the first eight characters, five bits each
   * @param low the other eight
   */
  public WriterId(long high, long low) {
    this.high = high;
    this.low = low;
    for (int i = 0; i < HALF; i++) {
      int shift = 5 * (HALF - 1 - i);
      prefix[i] = (byte) ALPHABET.charAt((int) (high >> shift) & 31);
      prefix[HALF + i] = (byte) ALPHABET.charAt((int) (low >> shift) & 31);
    }
    prefix[LENGTH] = '-';
  }

  public static WriterId random() {
    byte[] random = RandomBytes.of(RANDOM_BYTES);
    return new WriterId(fortyBits(random, 0), fortyBits(random, 5));
  }

  private static long fortyBits(byte[] bytes, int from) {
    long bits = 0;
    for (int i = from; i < from + 5; i++) {
      bits = (bits << 8) | (bytes[i] & 0xff);
    }
    return bits;
  }

  long high() {
    return high;
  }

  long low() {
    return low;
  }

  /** The same, with some of its last bits replaced. */
  WriterId tagged(long tag, long mask) {
    return new WriterId(high, (low & ~mask) | tag);
  }

  public String id(long number) {
    return toString() + '-' + number;
  }

  /** The writer in an id; null if the id is not native. */
  public static @Nullable WriterId in(String id) {
    byte[] bytes = id.getBytes(StandardCharsets.UTF_8);
    return in(bytes, 0, bytes.length, null);
  }

  /**
   * The writer in an id that is {@code bytes[from..to)}; null if the id is not native.
   *
   * @param guess who it might be: then nothing is made
   */
  public static @Nullable WriterId in(byte[] bytes, int from, int to, @Nullable WriterId guess) {
    int digits = from + LENGTH + 1;
    if (to <= digits || to - digits > MAX_DIGITS) {
      return null;
    }
    if (bytes[digits - 1] != '-' || bytes[digits] == '0') {
      return null;
    }
    for (int i = digits; i < to; i++) {
      if (bytes[i] < '0' || bytes[i] > '9') {
        return null;
      }
    }
    if (guess != null && Arrays.equals(bytes, from, digits, guess.prefix, 0, LENGTH + 1)) {
      return guess;
    }
    long high = half(bytes, from);
    long low = half(bytes, from + HALF);
    return high < 0 || low < 0 ? null : new WriterId(high, low);
  }

  private static long half(byte[] bytes, int from) {
    long bits = 0;
    for (int i = from; i < from + HALF; i++) {
      byte c = bytes[i];
      if (c >= 'a' && c <= 'z') {
        bits = (bits << 5) | (c - 'a');
      } else if (c >= '2' && c <= '7') {
        bits = (bits << 5) | (c - '2' + 26);
      } else {
        return -1;
      }
    }
    return bits;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof WriterId writer && high == writer.high && low == writer.low;
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(high) + Long.hashCode(low);
  }

  /** The 16 characters. */
  @Override
  public String toString() {
    return new String(prefix, 0, LENGTH, StandardCharsets.US_ASCII);
  }
}
