package dev.parley.core.codec;

import dev.parley.core.json.ByteWords;
import dev.parley.core.json.JsonBytes;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The checksum that ends a native line: CRC32C over the line's bytes before it.
 *
 * <pre>
 * {"id":…,"type":"note","payload":1,"unknown":true,"sum":"0f3c9a12"}
 * └────────────── summed ─────────────────────────┘└─── LENGTH ────┘
 * </pre>
 *
 * <p>Not safe for use by several threads.
 */
public final class Checksum {
  public static final String KEY = "sum";

  /** How many bytes {@code ,"sum":"0f3c9a12"}} takes. */
  static final int LENGTH = 18;

  private static final byte[] PREFIX = ",\"sum\":\"".getBytes(StandardCharsets.US_ASCII);
  private static final long PREFIX_WORD = ByteWords.at(PREFIX, 0);
  private static final int DIGITS = 8;
  private static final int[] TABLE = table();

  /** Loading the JDK's CRC32C takes 1 ms. Our table checks about this many bytes in that time. */
  private static final int QUICK_AFTER = 16 * 1024;

  /**
   * About how many bytes this process has checked by the table. Approximate, because threads may
   * overwrite each other's counts.
   */
  private static int summedByTable;

  private @Nullable CRC32C quick;

  private static int[] table() {
    int[] table = new int[256];
    for (int i = 0; i < table.length; i++) {
      int value = i;
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        value = (value >>> 1) ^ (0x82f63b78 & -(value & 1));
      }
      table[i] = value;
    }
    return table;
  }

  /** Completes a line that began at {@code from} with its checksum and the closing brace. */
  void end(JsonBytes line, int from) {
    int sum = of(line.array(), from, line.length());
    line.word(PREFIX_WORD).word(digits(sum)).raw('"').raw('}');
  }

  /** Whether {@code bytes[at..to)} may begin with a checksum and the end of its line. */
  static boolean mayBeAt(byte[] bytes, int at, int to) {
    return to - at >= LENGTH
        && ByteWords.at(bytes, at) == PREFIX_WORD
        && bytes[at + LENGTH - 2] == '"'
        && bytes[at + LENGTH - 1] == '}';
  }

  /** Whether the checksum at {@code at} is that of {@code bytes[from..at)}. */
  boolean fits(byte[] bytes, int from, int at) {
    return ByteWords.at(bytes, at + PREFIX.length) == digits(of(bytes, from, at));
  }

  /** Whether the bytes at {@code at} have the form of a checksum. */
  static boolean hasDigits(byte[] bytes, int at) {
    for (int i = at + PREFIX.length; i < at + PREFIX.length + DIGITS; i++) {
      if (Character.digit(bytes[i], 16) < 0 || (bytes[i] >= 'A' && bytes[i] <= 'F')) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether the line {@code bytes[from..to)} ends with its checksum under another key. Then a bit
   * of the key was changed.
   */
  boolean fitsUnderAnotherKey(byte[] bytes, int from, int to) {
    int end = to - LENGTH;
    return end > from
        && bytes[end] == ','
        && bytes[to - 2] == '"'
        && hasDigits(bytes, end)
        && fits(bytes, from, end);
  }

  /**
   * The eight hexadecimal digits of a checksum, computed without branches, because the processor
   * would mispredict every other letter.
   */
  private static long digits(int sum) {
    long spread = Integer.toUnsignedLong(sum);
    spread = (spread << 16 | spread) & 0x0000ffff0000ffffL;
    spread = (spread << 8 | spread) & 0x00ff00ff00ff00ffL;
    spread = (spread << 4 | spread) & 0x0f0f0f0f0f0f0f0fL;
    long letters = ((spread + 0x0606060606060606L) >> 4) & 0x0101010101010101L;
    return Long.reverseBytes(spread + 0x3030303030303030L + letters * ('a' - '0' - 10));
  }

  /** The CRC32C of {@code bytes[from..to)}. */
  int of(byte[] bytes, int from, int to) {
    CRC32C loaded = quick;
    if (loaded == null) {
      if (summedByTable < QUICK_AFTER) {
        summedByTable += to - from;
        return byTable(bytes, from, to);
      }
      loaded = new CRC32C();
      quick = loaded;
    }
    loaded.reset();
    loaded.update(bytes, from, to - from);
    return (int) loaded.getValue();
  }

  private static int byTable(byte[] bytes, int from, int to) {
    int value = -1;
    for (int i = from; i < to; i++) {
      value = (value >>> Byte.SIZE) ^ TABLE[(value ^ bytes[i]) & 0xff];
    }
    return ~value;
  }
}
