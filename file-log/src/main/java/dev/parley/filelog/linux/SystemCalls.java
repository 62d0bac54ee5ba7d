package dev.parley.filelog.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Linux system calls that the JDK lacks, or wraps at a cost. An open file is known by its
 * descriptor.
 *
 * <p>They use the foreign function interface. The JVM warns unless native access was enabled when
 * it started, and linking the functions takes longer than most commands. So only long-running
 * processes use them, if they {@linkplain #areAllowed are allowed}; every caller has another way.
 */
@SuppressWarnings("restricted") // native functions need restricted methods
public final class SystemCalls {
  public static final int WRITE_ONLY = 1;
  public static final int READ_WRITE = 2;
  public static final int CREATE = 0100;
  public static final int APPEND = 02000;
  public static final int NO_FOLLOW = 0400000;
  private static final int CLOSE_ON_EXEC = 02000000;

  /** {@code AT_FDCWD}: a path is not relative to an open folder. */
  private static final int CURRENT_FOLDER = -100;

  private static final int EXCHANGE = 2;
  private static final int PRIVATE = 0600;
  private static final int EXCLUSIVE_NOW = 2 | 4;
  private static final int FROM_HERE = 1;
  private static final int WITHOUT_WAITING = 04000;

  private static final int INTERRUPTED = 4;
  static final int NO_SUCH_FILE = 2;
  private static final int NO_ACCESS = 13;
  private static final int NOTHING_THERE = 11;

  private SystemCalls() {}

  private static final boolean ALLOWED =
      SystemCalls.class.getModule().isNativeAccessEnabled()
          && System.getProperty("os.name", "").equals("Linux")
          && System.getProperty("os.arch", "")
              .equals("amd64"); // on other processors flags have other numbers

  /** Whether these calls can be used here without a warning of the JVM. */
  public static boolean areAllowed() {
    return ALLOWED;
  }

  /** Opens a file that child processes do not inherit. */
  public static int open(Path path, int flags) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(path.toString());
      MemorySegment error = arena.allocate(LinuxCalls.ERROR);
      int file;
      do {
        file = (int) LinuxCalls.OPEN.invokeExact(error, name, flags | CLOSE_ON_EXEC, PRIVATE);
      } while (file < 0 && errorIn(error) == INTERRUPTED);
      if (file < 0) {
        throw failure(path, errorIn(error));
      }
      return file;
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /**
   * Takes the exclusive lock of {@code flock(2)} without waiting; false if it is held elsewhere.
   */
  public static boolean lock(int file) {
    try {
      return (int) LinuxCalls.FLOCK.invokeExact(file, EXCLUSIVE_NOW) == 0;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Exchanges the names of two files atomically. */
  public static void exchange(Path one, Path other) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = arena.allocate(LinuxCalls.ERROR);
      int result =
          (int)
              LinuxCalls.RENAME.invokeExact(
                  error,
                  CURRENT_FOLDER,
                  arena.allocateFrom(one.toAbsolutePath().toString()),
                  CURRENT_FOLDER,
                  arena.allocateFrom(other.toAbsolutePath().toString()),
                  EXCHANGE);
      if (result < 0) {
        throw failure(other, errorIn(error));
      }
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  public static void close(int file) {
    try {
      var _ = (int) LinuxCalls.CLOSE.invokeExact(file);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Opens an inotify instance, from which events are read. */
  public static OpenFile openEvents() throws IOException {
    return opened((error, flags) -> (int) LinuxCalls.INOTIFY.invokeExact(error, flags));
  }

  /**
   * Opens an eventfd, which is readable after something was {@linkplain OpenFile#add added} to it.
   */
  public static OpenFile openCounter() throws IOException {
    return opened((error, flags) -> (int) LinuxCalls.EVENTFD.invokeExact(error, 0, flags));
  }

  private interface Opening {
    int open(MemorySegment error, int flags) throws Throwable;
  }

  private static OpenFile opened(Opening opening) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = arena.allocate(LinuxCalls.ERROR);
      int file = opening.open(error, CLOSE_ON_EXEC | WITHOUT_WAITING);
      return new OpenFile((int) checked(file, error));
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /** Sends events about changes in a folder to a file of {@link #openEvents}. */
  public static void watch(OpenFile events, Path folder, int changes) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(folder.toString());
      int watch =
          (int) LinuxCalls.ADD_WATCH.invokeExact(events.error, events.number, name, changes);
      var _ = checked(watch, events.error);
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /** A list of files for {@code poll(2)}; used by one thread at a time. */
  public static final class Files {
    /** The layout of {@code struct pollfd}: descriptor, requested events, returned events. */
    private static final int SIZE = 8;

    private static final int ASKED = 4;
    private static final int ANSWERED = 6;
    private static final short READABLE = 1;

    private final MemorySegment error = Arena.ofAuto().allocate(LinuxCalls.ERROR);
    private final MemorySegment list;
    private final long count;

    public Files(OpenFile... files) {
      count = files.length;
      list = Arena.ofAuto().allocate(count * SIZE, Integer.BYTES);
      for (int i = 0; i < files.length; i++) {
        list.set(ValueLayout.JAVA_INT, (long) i * SIZE, files[i].number);
        list.set(ValueLayout.JAVA_SHORT, (long) i * SIZE + ASKED, READABLE);
      }
    }

    /** Waits until one of the files is readable; a signal may end the wait early. */
    public void await(int millis) throws IOException {
      try {
        int ready = (int) LinuxCalls.POLL.invokeExact(error, list, count, millis);
        if (ready < 0 && errorIn(error) != INTERRUPTED) {
          var _ = checked(ready, error);
        }
      } catch (Throwable e) {
        throw thrown(e);
      }
    }

    /** Whether the last {@link #await} found the file readable. */
    public boolean isReady(int index) {
      return list.get(ValueLayout.JAVA_SHORT, (long) index * SIZE + ANSWERED) != 0;
    }
  }

  /** An open file descriptor; used by one thread at a time. */
  public static final class OpenFile {
    private final int number;
    private final MemorySegment error = Arena.ofAuto().allocate(LinuxCalls.ERROR);

    public OpenFile(int number) {
      this.number = number;
    }

    int number() {
      return number;
    }

    /** One {@code write(2)}; returns how many bytes were written. */
    public int write(MemorySegment memory, int from, int length) throws IOException {
      MemorySegment bytes = part(memory, from, length);
      try {
        long count;
        do {
          count = (long) LinuxCalls.WRITE.invokeExact(error, number, bytes, (long) length);
        } while (count < 0 && errorIn(error) == INTERRUPTED);
        return (int) checked(count);
      } catch (Throwable e) {
        throw thrown(e);
      }
    }

    /** Reads what is available, up to the size of the memory; 0 if there is nothing. */
    public int read(MemorySegment memory) throws IOException {
      try {
        long count = (long) LinuxCalls.READ.invokeExact(error, number, memory, memory.byteSize());
        boolean isEmpty =
            count < 0 && (errorIn(error) == NOTHING_THERE || errorIn(error) == INTERRUPTED);
        return isEmpty ? 0 : (int) checked(count);
      } catch (Throwable e) {
        throw thrown(e);
      }
    }

    /** One {@code pread(2)} at a place in the file; 0 at its end. */
    public int read(MemorySegment memory, int from, int length, long at) throws IOException {
      MemorySegment bytes = part(memory, from, length);
      try {
        long count;
        do {
          count = (long) LinuxCalls.READ_AT.invokeExact(error, number, bytes, (long) length, at);
        } while (count < 0 && errorIn(error) == INTERRUPTED);
        return (int) checked(count);
      } catch (Throwable e) {
        throw thrown(e);
      }
    }

    private static MemorySegment part(MemorySegment memory, int from, int length) {
      MemorySegment part = from == 0 ? memory : memory.asSlice(from);
      if (length > part.byteSize()) {
        throw new IndexOutOfBoundsException("more than there is room for");
      }
      return part;
    }

    /** Makes a file of {@link #openCounter} readable. Any thread may call it. */
    public void add(long count) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment failure = arena.allocate(LinuxCalls.ERROR);
        MemorySegment added = arena.allocateFrom(ValueLayout.JAVA_LONG, count);
        var _ = (long) LinuxCalls.WRITE.invokeExact(failure, number, added, (long) Long.BYTES);
      } catch (Throwable e) {
        throw unexpected(e);
      }
    }

    /**
     * The file offset, which is where the last write ended: the kernel moves it in append mode,
     * too.
     */
    public long at() throws IOException {
      try {
        return checked((long) LinuxCalls.SEEK.invokeExact(error, number, 0L, FROM_HERE));
      } catch (Throwable e) {
        throw thrown(e);
      }
    }

    /** Returns when everything written is on the disk. */
    public void sync() throws IOException {
      try {
        int result;
        do {
          result = (int) LinuxCalls.SYNC.invokeExact(error, number);
        } while (result < 0 && errorIn(error) == INTERRUPTED);
        var _ = checked(result);
      } catch (Throwable e) {
        throw thrown(e);
      }
    }

    public void close() {
      SystemCalls.close(number);
    }

    private long checked(long result) throws IOException {
      return SystemCalls.checked(result, error);
    }
  }

  static long checked(long result, MemorySegment error) throws IOException {
    if (result < 0) {
      throw new IOException(text(errorIn(error)));
    }
    return result;
  }

  static int errorIn(MemorySegment error) {
    return (int) LinuxCalls.ERROR_NUMBER.get(error, 0L);
  }

  static IOException failure(Path path, int number) {
    return switch (number) {
      case NO_SUCH_FILE -> new NoSuchFileException(path.toString());
      case NO_ACCESS -> new AccessDeniedException(path.toString());
      default -> new FileSystemException(path.toString(), null, text(number));
    };
  }

  /** The system's text for an error number. */
  private static String text(int number) {
    try {
      MemorySegment text = (MemorySegment) LinuxCalls.ERROR_TEXT.invokeExact(number);
      return text.reinterpret(1024).getString(0);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static IOException thrown(Throwable e) {
    return e instanceof IOException known ? known : new IOException(unexpected(e));
  }

  private static IllegalStateException unexpected(Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return new IllegalStateException(e);
  }
}
