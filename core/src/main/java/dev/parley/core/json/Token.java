package dev.parley.core.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A short piece of JSON that a {@link JsonScanner} recognises with two comparisons. */
public final class Token {
  /** How long a token may be. */
  static final int MAX = 2 * Words.SIZE;

  final int length;
  private final long first;
  private final long firstMask;
  private final long second;
  private final long secondMask;

  public Token(String ascii) {
    if (ascii.length() > MAX) {
      throw new IllegalArgumentException("longer than " + MAX + ": " + ascii);
    }
    byte[] bytes = ascii.getBytes(StandardCharsets.US_ASCII);
    byte[] mask = new byte[bytes.length];
    Arrays.fill(mask, (byte) 0xff);
    length = bytes.length;
    first = Words.at(Arrays.copyOf(bytes, MAX), 0);
    second = Words.at(Arrays.copyOf(bytes, MAX), Words.SIZE);
    firstMask = Words.at(Arrays.copyOf(mask, MAX), 0);
    secondMask = Words.at(Arrays.copyOf(mask, MAX), Words.SIZE);
  }

  /** Whether it stands at {@code at}; there must be {@link #MAX} bytes to look at. */
  boolean isAt(byte[] bytes, int at) {
    return (Words.at(bytes, at) & firstMask) == first
        && (Words.at(bytes, at + Words.SIZE) & secondMask) == second;
  }
}
