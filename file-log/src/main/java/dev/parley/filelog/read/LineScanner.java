package dev.parley.filelog.read;

import dev.parley.core.json.ByteWords;
import dev.parley.filelog.disk.Disk;
import dev.parley.filelog.disk.SparseFileGuard;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Finds the complete lines of a file from an offset on. What follows the last newline is not there
 * yet.
 *
 * <p>Use: while {@link #next()} is true, the line is {@code array()[from()..to())}, or, if it is
 * longer than the limit, only its {@link #length()} is known.
 */
public final class LineScanner {
  /** How much is read at once. */
  static final int CHUNK = 64 * 1024;

  private final Disk.Reader file;
  private final SparseFileGuard hole = new SparseFileGuard();
  private final int limit;
  private final long fileEnd;
  private byte[] buffer;
  private long bufferAt;
  private int filled;
  private int from;
  private int to;
  private int scanned;
  private long length;
  private long end;

  /**
   * Begins before a line.
   *
   * @param start the beginning of a line
   * @param fileEnd where to stop
   * @param limit the longest line that is kept, without its newline
   */
  public LineScanner(Disk.Reader file, long start, long fileEnd, int limit) {
    this.file = file;
    this.fileEnd = fileEnd;
    this.limit = limit;
    this.bufferAt = start;
    this.end = start;
    this.buffer = new byte[Math.clamp(fileEnd - start, 0, CHUNK)];
  }

  /** Moves to the next line; false if there is no further newline. */
  public boolean next() throws IOException {
    from = nextFrom();
    scanned = from;
    while (true) {
      scanned = ByteWords.find(buffer, scanned, filled, '\n');
      if (scanned < filled) {
        to = scanned;
        length = (long) to - from;
        end = bufferAt + to + 1L;
        return true;
      }
      if (filled - from > limit) {
        return skipLong();
      }
      if (!more()) {
        return false;
      }
    }
  }

  /** Where in {@link #array} the next line begins; it ends before {@link #filled}, or not yet. */
  int nextFrom() {
    return (int) (end - bufferAt);
  }

  int filled() {
    return filled;
  }

  /** Passes over the next line, whose end somebody else has found. */
  void pass(long nextEnd) {
    end = nextEnd;
  }

  private boolean more() throws IOException {
    long at = bufferAt + filled;
    if (at >= fileEnd) {
      return false;
    }
    if (from > 0) {
      System.arraycopy(buffer, from, buffer, 0, filled - from);
      bufferAt += from;
      filled -= from;
      scanned -= from;
      from = 0;
    } else if (filled == buffer.length) {
      buffer = Arrays.copyOf(buffer, (int) Math.min(2L * buffer.length, limit + 2L));
    }
    int room = (int) Math.min(buffer.length - filled, fileEnd - at);
    int count = file.read(ByteBuffer.wrap(buffer, filled, room), at);
    filled += count;
    return count > 0;
  }

  /**
   * Looks for the end of a line that is too long to be kept.
   *
   * @throws SparseFileGuard.FoundException if there is none near
   */
  private boolean skipLong() throws IOException {
    long start = bufferAt + from;
    long at = bufferAt + filled;
    while (at < fileEnd) {
      int room = (int) Math.min(buffer.length, fileEnd - at);
      int count = file.read(ByteBuffer.wrap(buffer, 0, room), at);
      if (count <= 0) {
        return false;
      }
      hole.see(buffer, 0, count);
      int newline = ByteWords.find(buffer, 0, count, '\n');
      if (newline < count) {
        bufferAt = at;
        filled = count;
        length = at + newline - start;
        end = at + newline + 1;
        return true;
      }
      at += count;
    }
    return false;
  }

  public byte[] array() {
    return buffer;
  }

  public int from() {
    return from;
  }

  public int to() {
    return to;
  }

  public boolean isTooLong() {
    return length > limit;
  }

  /** The line's length without its newline. */
  public long length() {
    return length;
  }

  /** The offset after the line's newline. */
  public long end() {
    return end;
  }
}
