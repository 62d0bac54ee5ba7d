package dev.parley.filelog.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The few operations that topic files need. Tests replace it to let the disk fail.
 *
 * <p>Links are never followed. Anything but a regular file of this user is refused with {@link
 * UnsafeFileException}.
 */
public interface Disk {
  /** The state of the file at a path; null if there is none. */
  @Nullable FileState state(Path path) throws IOException;

  /** Opens a file for appending, and creates it if it is absent. */
  Appender append(Path path) throws IOException;

  /** Opens a file for reading; null if it is absent. */
  @Nullable Reader read(Path path) throws IOException;

  /** Syncs a folder: files created, renamed or removed in it survive a power failure. */
  void syncFolder(Path folder) throws IOException;

  /**
   * The identity and size of a file.
   *
   * @param key identifies the file among all files that exist at the same time
   */
  record FileState(Object key, long size) {}

  /** A file open for appending. */
  interface Appender extends Closeable {
    /** The answer of {@link #sizeInPlace} if another file, or none, is at the path. */
    long ELSEWHERE = -1;

    Object key();

    long size() throws IOException;

    /** The size of the open file if it is still the file at its path, else {@link #ELSEWHERE}. */
    long sizeInPlace() throws IOException;

    /** One {@code write(2)} at the end of the file; may write fewer bytes than given. */
    int write(ByteBuffer bytes) throws IOException;

    /**
     * Whether {@link #end} and {@link #readBack} work. They tell where a write ended even if other
     * processes write at the same time.
     */
    default boolean knowsEnd() {
      return false;
    }

    /** The place at which the last write ended. */
    default long end() throws IOException {
      throw new UnsupportedOperationException("only known to whoever asks the system itself");
    }

    /** Reads as a {@link Reader} does. */
    default int readBack(ByteBuffer into, long at) throws IOException {
      throw new UnsupportedOperationException("only for whoever knows where to read");
    }

    /** Returns when everything written so far is on the disk. An interrupt does not end it. */
    void sync() throws IOException;
  }

  /** A file open for reading. */
  interface Reader extends Closeable {
    Object key();

    long size() throws IOException;

    /** Fills the buffer from an offset on; reads less only at the end of the file. */
    int read(ByteBuffer into, long at) throws IOException;
  }
}
