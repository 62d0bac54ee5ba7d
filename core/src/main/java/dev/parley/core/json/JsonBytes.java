package dev.parley.core.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A growing byte array that JSON text is written to.
 *
 * <p>Strings are escaped so that a line stays one line for every tool that may read it: all control
 * characters, DEL and C1 included, and U+2028 and U+2029. A surrogate without its partner, which
 * UTF-8 cannot hold, is written as an escape and so reads back unchanged. Not safe for use by
 * several threads.
 */
public final class JsonBytes {
  /** Of the largest number. */
  private static final int MAX_DIGITS = 19;

  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  /** For so many characters at a time there is room whatever they are: six bytes each. */
  private static final int PIECE = 4096;

  private byte[] buffer;
  private int length;

  public JsonBytes(int capacity) {
    buffer = new byte[capacity];
  }

  public int length() {
    return length;
  }

  /** The array written to; valid up to {@link #length()} and until the next write. */
  public byte[] array() {
    return buffer;
  }

  public byte[] toArray() {
    return Arrays.copyOf(buffer, length);
  }

  /** Forgets everything from {@code length} on. */
  public void truncate(int length) {
    if (length < 0 || length > this.length) {
      throw new IllegalArgumentException("cannot cut " + this.length + " bytes to " + length);
    }
    this.length = length;
  }

  public JsonBytes raw(byte value) {
    room(1);
    buffer[length++] = value;
    return this;
  }

  /** Appends eight bytes, as {@link ByteWords#at} gives them. */
  public JsonBytes word(long bytes) {
    room(ByteWords.SIZE);
    ByteWords.put(buffer, length, bytes);
    length += ByteWords.SIZE;
    return this;
  }

  public JsonBytes raw(char ascii) {
    return raw((byte) ascii);
  }

  public JsonBytes raw(byte[] bytes) {
    return raw(bytes, 0, bytes.length);
  }

  public JsonBytes raw(byte[] bytes, int from, int to) {
    int count = to - from;
    room(count);
    System.arraycopy(bytes, from, buffer, length, count);
    length += count;
    return this;
  }

  /** Appends characters that are known to be ASCII and need no escape. */
  public JsonBytes ascii(String text) {
    int count = text.length();
    room(count);
    for (int i = 0; i < count; i++) {
      buffer[length + i] = (byte) text.charAt(i);
    }
    length += count;
    return this;
  }

  public JsonBytes number(long value) {
    if (value < 0) {
      return ascii(Long.toString(value));
    }
    int digits = digits(value);
    room(digits);
    int at = length + digits;
    long rest = value;
    while (rest >= 10) {
      // Two at a time: each division has to wait for the one before.
      long hundreds = rest / 100;
      int pair = (int) (rest - 100 * hundreds);
      buffer[--at] = (byte) ('0' + pair % 10);
      buffer[--at] = (byte) ('0' + pair / 10);
      rest = hundreds;
    }
    if (at > length) {
      buffer[length] = (byte) ('0' + rest);
    }
    length += digits;
    return this;
  }

  private static int digits(long value) {
    int digits = 1;
    for (long limit = 10; digits < MAX_DIGITS && value >= limit; limit *= 10) {
      digits++;
    }
    return digits;
  }

  /** Appends a JSON string, quotes included. */
  public JsonBytes string(String text) {
    raw('"');
    for (int from = 0; from < text.length(); ) {
      from = characters(text, from, Math.min(text.length(), from + PIECE));
    }
    return raw('"');
  }

  /** Appends some characters; gives back where the next begin, as a pair is never divided. */
  private int characters(String text, int from, int to) {
    room(to - from);
    byte[] out = buffer;
    int shift = length - from;
    int i = from;
    for (; i < to && isPlain(text.charAt(i)); i++) {
      out[shift + i] = (byte) text.charAt(i);
    }
    length = shift + i;
    return i == to ? to : anyCharacters(text, i, to);
  }

  /** Printable ASCII but quote and backslash. */
  private static boolean isPlain(char c) {
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
  }

  private int anyCharacters(String text, int from, int to) {
    int count = text.length();
    room(6 * (to - from));
    int i = from;
    for (; i < to; i++) {
      char c = text.charAt(i);
      if (c >= 0x20 && c < 0x7f) {
        if (c == '"' || c == '\\') {
          buffer[length++] = '\\';
        }
        buffer[length++] = (byte) c;
      } else if (isUnsafe(c)) {
        escape(c);
      } else if (c < 0x800) {
        buffer[length++] = (byte) (0xc0 | c >> 6);
        buffer[length++] = (byte) (0x80 | (c & 0x3f));
      } else if (!Character.isSurrogate(c)) {
        threeBytes(c);
      } else if (Character.isHighSurrogate(c)
          && i + 1 < count
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        fourBytes(Character.toCodePoint(c, text.charAt(++i)));
      } else {
        escape(c);
      }
    }
    return i;
  }

  /** Whether a character must never stand in a line as it is. */
  static boolean isUnsafe(int c) {
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029;
  }

  JsonBytes escape(int c) {
    room(6);
    buffer[length++] = '\\';
    int letter =
        switch (c) {
          case '\n' -> 'n';
          case '\r' -> 'r';
          case '\t' -> 't';
          case '\b' -> 'b';
          case '\f' -> 'f';
          default -> 'u';
        };
    buffer[length++] = (byte) letter;
    if (letter == 'u') {
      for (int shift = 12; shift >= 0; shift -= 4) {
        buffer[length++] = HEX[c >> shift & 0xf];
      }
    }
    return this;
  }

  private void threeBytes(char c) {
    buffer[length++] = (byte) (0xe0 | c >> 12);
    buffer[length++] = (byte) (0x80 | (c >> 6 & 0x3f));
    buffer[length++] = (byte) (0x80 | (c & 0x3f));
  }

  private void fourBytes(int codePoint) {
    buffer[length++] = (byte) (0xf0 | codePoint >> 18);
    buffer[length++] = (byte) (0x80 | (codePoint >> 12 & 0x3f));
    buffer[length++] = (byte) (0x80 | (codePoint >> 6 & 0x3f));
    buffer[length++] = (byte) (0x80 | (codePoint & 0x3f));
  }

  private void room(int count) {
    if (buffer.length - length < count) {
      long wanted = Math.max((long) length + count, 2L * buffer.length);
      buffer = Arrays.copyOf(buffer, (int) Math.min(wanted, Integer.MAX_VALUE - 8L));
    }
  }
}
