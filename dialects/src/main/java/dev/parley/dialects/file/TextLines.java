package dev.parley.dialects.file;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The lines of a byte array, with their offsets. */
public final class TextLines {
  private final byte[] bytes;
  private final int[] starts;

  public TextLines(byte[] bytes) {
    this.bytes = bytes;
    int[] found = new int[16];
    int count = 0;
    for (int at = 0; at < bytes.length; at = end(bytes, at) + 1) {
      if (count == found.length) {
        found = Arrays.copyOf(found, 2 * count);
      }
      found[count++] = at;
    }
    this.starts = Arrays.copyOf(found, count);
  }

  private static int end(byte[] bytes, int from) {
    int at = from;
    while (at < bytes.length && bytes[at] != '\n') {
      at++;
    }
    return at;
  }

  public int count() {
    return starts.length;
  }

  /** The offset of a line. The line after the last has the offset of the end. */
  public int start(int line) {
    return line < starts.length ? starts[line] : bytes.length;
  }

  /** A line without its newline. */
  public String text(int line) {
    int from = starts[line];
    return new String(bytes, from, end(bytes, from) - from, StandardCharsets.UTF_8);
  }

  /** Whether a line has its newline. */
  public boolean isWhole(int line) {
    return end(bytes, starts[line]) < bytes.length;
  }

  /** The text of some lines with their newlines, the last one not included. */
  public String text(int fromLine, int toLine) {
    int from = start(fromLine);
    return new String(bytes, from, start(toLine) - from, StandardCharsets.UTF_8);
  }
}
