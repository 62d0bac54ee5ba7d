package dev.parley.core.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Scans an array of bytes eight at a time.
 *
 * <p>Arithmetic on all eight: a mark is the highest bit of a byte. A subtraction may borrow from
 * the next byte, so only the first mark of a word is certain; no subtraction where all count.
 */
public final class ByteWords {
  static final int SIZE = Long.BYTES;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long MARKS = 0x8080808080808080L;
  private static final int BRACKETS_DIFFER = '{' ^ '[';

  private ByteWords() {}

  /** The eight bytes from {@code at} on, the first one lowest. */
  public static long at(byte[] bytes, int at) {
    return (long) LONGS.get(bytes, at);
  }

  /** Puts eight bytes as {@link #at} gives them. */
  static void put(byte[] bytes, int at, long word) {
    LONGS.set(bytes, at, word);
  }

  /** Where {@code wanted} first stands in {@code bytes[from..to)}; {@code to} if nowhere. */
  public static int find(byte[] bytes, int from, int to, char wanted) {
    long pattern = wanted * ONES;
    int i = from;
    for (; i <= to - SIZE; i += SIZE) {
      long marks = zeros(at(bytes, i) ^ pattern);
      if (marks != 0) {
        return i + first(marks);
      }
    }
    while (i < to && bytes[i] != wanted) {
      i++;
    }
    return i;
  }

  /** Whether {@code bytes[from..to)} is nothing but printable ASCII. */
  public static boolean arePrintable(byte[] bytes, int from, int to) {
    int i = from;
    for (; i <= to - SIZE; i += SIZE) {
      if ((unprintable(at(bytes, i)) & MARKS) != 0) {
        return false;
      }
    }
    while (i < to && bytes[i] >= 0x20 && bytes[i] < 0x7f) {
      i++;
    }
    return i >= to;
  }

  /** How many brackets of either kind open, those in strings included. */
  static int openingBrackets(byte[] bytes) {
    int count = 0;
    int i = 0;
    for (; i <= bytes.length - SIZE; i += SIZE) {
      long others = (at(bytes, i) | BRACKETS_DIFFER * ONES) ^ ('{' * ONES);
      // No subtraction: here every mark counts.
      count += Long.bitCount(~(others | ((others & ~MARKS) + ~MARKS)) & MARKS);
    }
    for (; i < bytes.length; i++) {
      count += (bytes[i] | BRACKETS_DIFFER) == '{' ? 1 : 0;
    }
    return count;
  }

  /** Not yet only marks: what is below a space, not ASCII, or DEL has its highest bit set. */
  private static long unprintable(long word) {
    return (word - 0x20 * ONES) | word | (word + ONES);
  }

  /** Marks what is not printable ASCII, and quote and backslash. */
  static long special(long word) {
    long quotes = (word ^ ('"' * ONES)) - ONES;
    long backslashes = (word ^ ('\\' * ONES)) - ONES;
    return (unprintable(word) | quotes | backslashes) & MARKS;
  }

  private static long zeros(long word) {
    return (word - ONES) & ~word & MARKS;
  }

  /** Which byte has the first mark. */
  static int first(long marks) {
    return Long.numberOfTrailingZeros(marks) / Byte.SIZE;
  }
}
