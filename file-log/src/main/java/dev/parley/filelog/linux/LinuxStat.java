package dev.parley.filelog.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Asks the kernel for the identity and the size of a file. Used by one thread at a time.
 *
 * <p>It does not ask for times, as the JDK does: after times were read, the kernel must store a new
 * time at the next write, which takes as long as the write itself.
 */
public final class LinuxStat {
  private static final int INODE_AND_SIZE = 0x100 | 0x200;
  private static final int OF_OPEN_FILE = 0x1000;
  private static final int FROM_WORKING_FOLDER = -100;
  private static final int NOT_OF_A_LINK = 0x100;
  private static final int NO_FOLDER = 20;

  private static final int ROOM = 512;

  private static final MemorySegment NOTHING = Arena.global().allocateFrom("");

  private final MemorySegment error = Arena.ofAuto().allocate(LinuxCalls.ERROR);
  private final MemorySegment state = Arena.ofAuto().allocate(256, Long.BYTES);

  /** The path of the last call as a C string. */
  private MemorySegment name = Arena.ofAuto().allocate(ROOM);

  private @Nullable Path named;

  /** Identifies a file while it is open; a number may be reused after that. */
  public record FileId(long inode, int deviceMajor, int deviceMinor) {}

  /** Asks about an open file. */
  public void of(SystemCalls.OpenFile file) throws IOException {
    var _ = SystemCalls.checked(look(file.number(), NOTHING, OF_OPEN_FILE), error);
  }

  /** Asks about the file at a path; false if there is none. */
  public boolean at(Path path) throws IOException {
    if (!path.equals(named)) {
      name(path);
    }
    int result = look(FROM_WORKING_FOLDER, name, NOT_OF_A_LINK);
    int number = result < 0 ? SystemCalls.errorIn(error) : 0;
    if (number == SystemCalls.NO_SUCH_FILE || number == NO_FOLDER) {
      return false;
    }
    if (result < 0) {
      throw SystemCalls.failure(path, number);
    }
    return true;
  }

  private void name(Path path) {
    named = null;
    byte[] bytes = path.toString().getBytes(StandardCharsets.UTF_8);
    if (bytes.length >= name.byteSize()) {
      name = Arena.ofAuto().allocate(bytes.length + 1L);
    }
    MemorySegment.copy(bytes, 0, name, ValueLayout.JAVA_BYTE, 0, bytes.length);
    name.set(ValueLayout.JAVA_BYTE, bytes.length, (byte) 0);
    named = path;
  }

  private int look(int from, MemorySegment path, int flags) throws IOException {
    try {
      return (int) LinuxCalls.STATX.invokeExact(error, from, path, flags, INODE_AND_SIZE, state);
    } catch (Throwable e) {
      throw SystemCalls.thrown(e);
    }
  }

  /** The size that the last call found. */
  public long size() {
    return state.get(ValueLayout.JAVA_LONG, 40);
  }

  /** The file that the last call found. */
  public FileId id() {
    return new FileId(
        state.get(ValueLayout.JAVA_LONG, 32),
        state.get(ValueLayout.JAVA_INT, 136),
        state.get(ValueLayout.JAVA_INT, 140));
  }
}
