package dev.parley.filelog.read;

import dev.parley.core.json.Json;
import dev.parley.filelog.disk.Disk;
import dev.parley.filelog.disk.SparseFileGuard;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Finds every occurrence of a byte sequence in a file.
 *
 * <p>Horspool's algorithm: compares the last byte first and skips ahead as far as that allows, so
 * most bytes are never examined.
 */
final class ByteSearch {
  private static final int CHUNK = 1 << 20;

  private final Disk.Reader file;
  private final byte[] wanted;
  private final int[] jumps = new int[256];
  private final byte[] buffer;
  private long bufferAt;
  private int filled;
  private int next;
  private final SparseFileGuard hole = new SparseFileGuard();

  ByteSearch(Disk.Reader file, Json wanted) {
    this.file = file;
    this.wanted = wanted.toString().getBytes(StandardCharsets.UTF_8);
    this.buffer = new byte[Math.max(CHUNK, 2 * this.wanted.length)];
    Arrays.fill(jumps, this.wanted.length);
    for (int i = 0; i < this.wanted.length - 1; i++) {
      jumps[this.wanted[i] & 0xff] = this.wanted.length - 1 - i;
    }
  }

  /** The offset of the next occurrence; -1 if there is none. */
  long next() throws IOException {
    int last = wanted.length - 1;
    do {
      while (next + last < filled) {
        int at = next;
        next += jumps[buffer[at + last] & 0xff];
        if (buffer[at + last] == wanted[last] && isAt(at)) {
          return bufferAt + at;
        }
      }
    } while (fill());
    return -1;
  }

  private boolean isAt(int at) {
    return Arrays.equals(buffer, at, at + wanted.length, wanted, 0, wanted.length);
  }

  /** Reads on from the place where the next occurrence could begin; false at the end. */
  private boolean fill() throws IOException {
    bufferAt += next;
    next = 0;
    filled = Math.max(0, file.read(ByteBuffer.wrap(buffer), bufferAt));
    hole.see(buffer, 0, filled);
    return filled >= wanted.length;
  }
}
