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
 * The lock of {@code flock(2)}, called directly. It is reached through the foreign function
 * interface, which warns unless it was allowed when the program was started.
 */
@SuppressWarnings("restricted") // there is no other way to flock(2)
final class FlockCall implements Flock {
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

  private FlockCall(int file) {
    this.file = file;
  }

  /** Null if somebody else has it for so long. */
  static @Nullable FlockCall take(Path path, Duration patience) {
    long end = System.nanoTime() + patience.toNanos();
    int file = open(path);
    while (call(FLOCK, file, EXCLUSIVE_NOW) != 0) {
      if (System.nanoTime() - end >= 0) {
        var _ = call(CLOSE, file);
        return null;
      }
      LockSupport.parkNanos(RETRY.toNanos());
    }
    return new FlockCall(file);
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
