package dev.parley.filelog.linux;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/** The native functions behind {@link SystemCalls}, linked at the first call. */
@SuppressWarnings("restricted") // native functions need restricted methods
final class LinuxCalls {
  private static final Linker LINKER = Linker.nativeLinker();
  static final Linker.Option WITH_ERROR = Linker.Option.captureCallState("errno");
  static final MemoryLayout ERROR = Linker.Option.captureStateLayout();
  static final VarHandle ERROR_NUMBER =
      ERROR.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private static final FunctionDescriptor OF_BYTES =
      FunctionDescriptor.of(
          ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG);

  static final MethodHandle OPEN =
      call(
          "open",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT),
          WITH_ERROR,
          Linker.Option.firstVariadicArg(2));
  static final MethodHandle WRITE = call("write", OF_BYTES, WITH_ERROR);

  /** Its structure has the same layout on every processor, unlike that of {@code fstat}. */
  static final MethodHandle STATX =
      call(
          "statx",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS),
          WITH_ERROR);

  static final MethodHandle SEEK =
      call(
          "lseek",
          FunctionDescriptor.of(
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_INT),
          WITH_ERROR);
  static final MethodHandle READ = call("read", OF_BYTES, WITH_ERROR);
  static final MethodHandle READ_AT =
      call(
          "pread",
          FunctionDescriptor.of(
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG),
          WITH_ERROR);
  static final MethodHandle INOTIFY =
      call(
          "inotify_init1",
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT),
          WITH_ERROR);
  static final MethodHandle ADD_WATCH =
      call(
          "inotify_add_watch",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS,
              ValueLayout.JAVA_INT),
          WITH_ERROR);
  static final MethodHandle EVENTFD =
      call(
          "eventfd",
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT),
          WITH_ERROR);
  static final MethodHandle POLL =
      call(
          "poll",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_INT),
          WITH_ERROR);
  static final MethodHandle SYNC =
      call(
          "fdatasync",
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT),
          WITH_ERROR);
  static final MethodHandle FLOCK =
      call(
          "flock",
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
  static final MethodHandle RENAME =
      call(
          "renameat2",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS,
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS,
              ValueLayout.JAVA_INT),
          WITH_ERROR);
  static final MethodHandle CLOSE =
      call("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
  static final MethodHandle ERROR_TEXT =
      call("strerror", FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_INT));

  static MethodHandle call(String name, FunctionDescriptor description, Linker.Option... options) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), description, options);
  }

  private LinuxCalls() {}
}
