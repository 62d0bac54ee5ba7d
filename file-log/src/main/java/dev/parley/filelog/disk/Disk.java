package dev.parley.filelog.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The operations on topic files, as few as possible: the seam at which tests let the disk fail.
 *
 * <p>Links are never followed; what is not a regular file of this user is refused with {@link
 * UnsafeFileException}.
 */
public interface Disk {
  /** What is at a path now; null if nothing is. */
  @Nullable FileState state(Path path) throws IOException;

  /** Opens a file for appending and creates it first if it is not there. */
  Appender append(Path path) throws IOException;

  /** Opens a file for reading; null if it is not there. */
  @Nullable Reader read(Path path) throws IOException;

  /** Makes what was created, renamed or removed in a folder last. */
  void syncFolder(Path folder) throws IOException;

  /**
   * What a look at a path shows.
   *
   * @param key tells one file from any other that exists at the same time
   */
  record FileState(Object key, long size) {}

  /** A file open for appending. */
  interface Appender extends Closeable {
    /** What {@link #sizeInPlace} says of a file that is not at its path any more. */
    long ELSEWHERE = -1;

    Object key();

    long size() throws IOException;

    /** The same if it is the file that stands at its path. */
    long sizeInPlace() throws IOException;

    /** One {@code write(2)} at the end of the file; may write less than it was given. */
    int write(ByteBuffer bytes) throws IOException;

    /**
     * Whether it can tell where a write {@linkplain #end ended}, however many others write, and
     * {@linkplain #readBack what is there}.
     */
    default boolean knowsEnd() {
      return false;
    }

    /** Where the last write ended. */
    default long end() throws IOException {
      throw new UnsupportedOperationException("only known to whoever asks the system itself");
    }

    /** Reads as a {@link Reader} does. */
    default int readBack(ByteBuffer into, long at) throws IOException {
      throw new UnsupportedOperationException("only for whoever knows where to read");
    }

    /** Returns when the disk has everything written so far. Never ended by an interrupt. */
    void sync() throws IOException;
  }

  /** A file open for reading. */
  interface Reader extends Closeable {
    Object key();

    long size() throws IOException;

    /** Reads up to the buffer's room from an offset on; less only at the end of the file. */
    int read(ByteBuffer into, long at) throws IOException;
  }
}
