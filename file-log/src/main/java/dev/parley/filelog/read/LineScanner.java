package dev.parley.filelog.read;

import dev.parley.core.json.ByteWords;
import dev.parley.filelog.disk.Disk;
import dev.parley.filelog.disk.SparseFileGuard;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Finds the complete lines of a file from an offset on. Bytes after the last newline are not a line
 * yet.
 *
 * <p>Use: while {@link #next()} is true, the line is {@code array()[from()..to())}, or only its
 * {@link #length()} is known, if that exceeds the limit.
 */
public final class LineScanner {
  /** Bytes per read. */
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
   * Starts before a line.
   *
   * @param start the start of a line
   * @param fileEnd the offset to stop at
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

  /** Moves to the next line; false if there is no other complete line. */
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

  /** The start of the next line in {@link #array}. The line may extend beyond {@link #filled}. */
  int nextFrom() {
    return (int) (end - bufferAt);
  }

  int filled() {
    return filled;
  }

  /** Skips the next line, whose end the caller has found. */
  void skip(long nextEnd) {
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
   * Finds the end of a line that is too long to keep.
   *
   * @throws SparseFileGuard.FoundException if the line turns out to be a hole in a sparse file
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

  /** The length of the line without its newline. */
  public long length() {
    return length;
  }

  /** The offset after the line's newline. */
  public long end() {
    return end;
  }
}
