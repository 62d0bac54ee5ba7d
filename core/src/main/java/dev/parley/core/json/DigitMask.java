package dev.parley.core.json;

/**
 * Compares bytes with a template in which some positions may hold any digit. It compares eight
 * bytes at a time and searches for nothing, so the comparisons do not depend on each other.
 */
public final class DigitMask {
  private static final long LOW = 0x0f0f0f0f0f0f0f0fL;
  private static final long DIGITS = 0x3030303030303030L;
  private static final long TO_SIXTEEN = 0x0606060606060606L;

  private final int length;

  /** What must stand there, 0 where it does not matter. */
  private final long[] fixed;

  /** Ones where it does. */
  private final long[] fixedMask;

  /** Ones where any digit may stand. */
  private final long[] freeMask;

  private DigitMask(int length) {
    int words = (length + ByteWords.SIZE - 1) / ByteWords.SIZE;
    this.length = length;
    this.fixed = new long[words];
    this.fixedMask = new long[words];
    this.freeMask = new long[words];
  }

  /** Of the first bytes of an array, all of them fixed. */
  public static DigitMask of(byte[] bytes, int length) {
    DigitMask stencil = new DigitMask(length);
    for (int i = 0; i < length; i++) {
      stencil.fixed[word(i)] |= (bytes[i] & 0xffL) << shift(i);
      stencil.fixedMask[word(i)] |= 0xffL << shift(i);
    }
    return stencil;
  }

  /** Lets every digit from one index to another be any digit. */
  public DigitMask freeDigits(int from, int to) {
    for (int i = from; i < to; i++) {
      long digit = fixed[word(i)] >> shift(i) & 0xff;
      if (digit >= '0' && digit <= '9') {
        long mask = 0xffL << shift(i);
        fixed[word(i)] &= ~mask;
        fixedMask[word(i)] &= ~mask;
        freeMask[word(i)] |= mask;
      }
    }
    return this;
  }

  private static int word(int index) {
    return index / ByteWords.SIZE;
  }

  private static int shift(int index) {
    return index % ByteWords.SIZE * Byte.SIZE;
  }

  public int length() {
    return length;
  }

  /**
   * Whether it stands in {@code bytes[from..to)} from the first byte on. Tells only where there is
   * enough to look at: near the end of the array it says no.
   */
  public boolean isAt(byte[] bytes, int from, int to) {
    if (to - from < length || bytes.length - from < fixed.length * ByteWords.SIZE) {
      return false;
    }
    long different = 0;
    for (int i = 0; i < fixed.length; i++) {
      long word = ByteWords.at(bytes, from + i * ByteWords.SIZE);
      different |= (word & fixedMask[i]) ^ fixed[i];
      long free = freeMask[i];
      if (free != 0) {
        different |= notDigits(word & free, free);
      }
    }
    return different == 0;
  }

  /** Not 0 if a byte under the mask is no digit; what is not under it is 0. */
  private static long notDigits(long word, long mask) {
    long tooLow = (word ^ DIGITS) & ~LOW & mask;
    long tooHigh = ((word + (TO_SIXTEEN & mask)) ^ DIGITS) & ~LOW & mask;
    return tooLow | tooHigh;
  }
}
