package dev.parley.core.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A short piece of JSON that a {@link JsonScanner} recognises with two comparisons. */
public final class Token {
  /** How long a token may be. */
  static final int MAX = 2 * ByteWords.SIZE;

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
    first = ByteWords.at(Arrays.copyOf(bytes, MAX), 0);
    second = ByteWords.at(Arrays.copyOf(bytes, MAX), ByteWords.SIZE);
    firstMask = ByteWords.at(Arrays.copyOf(mask, MAX), 0);
    secondMask = ByteWords.at(Arrays.copyOf(mask, MAX), ByteWords.SIZE);
  }

  /** Whether it stands at {@code at}; there must be {@link #MAX} bytes to look at. */
  boolean isAt(byte[] bytes, int at) {
    return (ByteWords.at(bytes, at) & firstMask) == first
        && (ByteWords.at(bytes, at + ByteWords.SIZE) & secondMask) == second;
  }
}
