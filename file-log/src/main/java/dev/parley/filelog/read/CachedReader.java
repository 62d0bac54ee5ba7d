package dev.parley.filelog.read;

import dev.parley.filelog.disk.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads a file and keeps its beginning and one other piece in memory. A small read then needs one
 * system call: the piece holds the bytes that prove the position, the new lines, and the bytes that
 * prove their end.
 */
final class CachedReader implements Disk.Reader {
  private final Disk.Reader file;
  private final long size;
  private byte[] beginning = {};
  private byte[] piece = {};
  private long pieceAt;

  /**
   * @param size the size of the file, possibly outdated
   */
  CachedReader(Disk.Reader file, long size) {
    this.file = file;
    this.size = size;
  }

  Disk.Reader whole() {
    return file;
  }

  /** Keeps a piece in memory, or the beginning if {@code at} is 0. */
  void keep(long at, byte[] bytes) {
    if (at == 0) {
      beginning = bytes;
    } else {
      piece = bytes;
      pieceAt = at;
    }
  }

  @Override
  public int read(ByteBuffer into, long at) throws IOException {
    int length = into.remaining();
    if (at + length <= beginning.length) {
      into.put(beginning, (int) at, length);
      return length;
    }
    if (at >= pieceAt && at + length <= pieceAt + piece.length) {
      into.put(piece, (int) (at - pieceAt), length);
      return length;
    }
    return file.read(into, at);
  }

  @Override
  public Object key() {
    return file.key();
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
