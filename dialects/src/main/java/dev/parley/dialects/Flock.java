package dev.parley.dialects;

import dev.parley.core.ParleyException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The system's {@code flock} on a file: excludes the tools that use it, which Java's own file locks
 * do not. It is of the open file, so threads exclude each other as well; the system gives it back
 * when the process ends.
 *
 * <p>It is reached through the foreign function interface, which takes longer to start than most
 * commands run: only what needs it loads it.
 */
@SuppressWarnings("restricted") // there is no other way to flock(2)
public final class Flock implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration RETRY = Duration.ofMillis(1);

  private static final int READ_WRITE_CREATE = 2 | 0100;
  private static final int MODE = 0600;
  private static final int EXCLUSIVE_NOW = 2 | 4;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final MethodHandle OPEN =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("open"),
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT),
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle FLOCK =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("flock"),
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
  private static final MethodHandle CLOSE =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("close"),
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

  private final int file;

  private Flock(int file) {
    this.file = file;
  }

  /**
   * Takes the lock of a file, which is made if need be.
   *
   * @throws ParleyException FAILED if somebody else has it all the time
   */
  public static Flock take(Path path) {
    Flock taken = take(path, PATIENCE);
    if (taken == null) {
      throw new ParleyException(
          ParleyException.Kind.FAILED,
          "file-locked",
          path + " is locked by another process.",
          "Try again; if its owner hangs, end it.");
    }
    return taken;
  }

  /** The same; null if somebody else has it for so long. */
  public static @Nullable Flock take(Path path, Duration patience) {
    long end = System.nanoTime() + patience.toNanos();
    int file = open(path);
    while (call(FLOCK, file, EXCLUSIVE_NOW) != 0) {
      if (System.nanoTime() - end >= 0) {
        var _ = call(CLOSE, file);
        return null;
      }
      LockSupport.parkNanos(RETRY.toNanos());
    }
    return new Flock(file);
  }

  private static int open(Path path) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(path.toString());
      int file = (int) OPEN.invokeExact(name, READ_WRITE_CREATE, MODE);
      if (file < 0) {
        throw new ParleyException(
            ParleyException.Kind.FAILED,
            "foreign-file",
            path + " can't be opened.",
            "Look at that file: is its folder there, may you use it?");
      }
      return file;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static int call(MethodHandle function, int file, int argument) {
    try {
      return (int) function.invokeExact(file, argument);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static int call(MethodHandle function, int file) {
    try {
      return (int) function.invokeExact(file);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    var _ = call(CLOSE, file);
  }
}
