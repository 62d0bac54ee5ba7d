package dev.parley.filelog.disk;

import java.io.IOException;
import java.util.Arrays;

/**
 * Stops reading a sparse file, which can claim any size without using disk space and would take
 * hours to read. No line contains a zero byte, so a long run of them can't be part of a topic.
 */
public final class SparseFileGuard {
  /**
   * The longest run of zero bytes that is read. Blocks that a disk lost in a power failure leave
   * fewer.
   */
  static final long TOO_LONG = 64L << 20;

  private static final int PIECE = 4096;
  private static final byte[] ZEROS = new byte[PIECE];

  private long length;

  /** The file is not a topic. */
  static final class FoundException extends IOException {
    private static final long serialVersionUID = 1L;

    FoundException() {
      super("it is not a topic: more than " + (TOO_LONG >> 20) + " MiB of it are zeros");
    }
  }

  /**
   * Counts the zero bytes in what was read next.
   *
   * @throws FoundException if there are too many in a row
   */
  public void see(byte[] bytes, int from, int to) throws IOException {
    length = isEmpty(bytes, from, to) ? length + to - from : 0;
    if (length > TOO_LONG) {
      throw new FoundException();
    }
  }

  private static boolean isEmpty(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i += PIECE) {
      int end = Math.min(to, i + PIECE);
      if (!Arrays.equals(bytes, i, end, ZEROS, 0, end - i)) {
        return false;
      }
    }
    return true;
  }
}
