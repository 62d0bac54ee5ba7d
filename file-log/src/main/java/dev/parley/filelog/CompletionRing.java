package dev.parley.filelog;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * Where the system notes, in our own memory, that there is something to read: whoever wants to know
 * that at every step looks there and need not call the system.
 *
 * <p>It is the ring of asynchronous I/O (<em>io_setup</em>), and what is asked for is a
 * <em>poll</em>.
 *
 * <pre>
 * 0    4    8      12     16      20     32
 * │ id │ nr │ head │ tail │ magic │ …    │ events …
 *             │      └ the system moves it on with each event
 *             └ ours: up to there they were taken
 * </pre>
 *
 * <p>Between the file and the poll there is an <em>epoll</em>. It passes on what there is to read;
 * a file of watch events only says that there is something, and then a thread of the system would
 * have to find out what, some time later. So the tail has moved before the call that made the event
 * returns; unless that comes just while the poll is asked for.
 *
 * <p>There is no way to close it: the memory would be gone under whoever looks.
 */
@SuppressWarnings("restricted") // there is no other way to it
final class CompletionRing {
  private static final long SET_UP = 206;
  private static final long SUBMIT = 209;

  private static final int HEAD = 8;
  private static final int TAIL = 12;
  private static final int MAGIC = 16;
  private static final int KNOWN = 0xa10a10a1;
  private static final int HEADER = 32;

  /** Of a request: what is asked of which file. */
  private static final int REQUEST = 64;

  private static final int OPERATION = 16;
  private static final short POLL = 5;
  private static final int FILE = 20;
  private static final int EVENTS = 24;
  private static final int READABLE = 1;

  private static final int ADD = 1;

  private static final VarHandle WORD = ValueLayout.JAVA_INT.varHandle();

  private final MemorySegment ring;

  private CompletionRing(MemorySegment ring) {
    this.ring = ring;
  }

  static CompletionRing open() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = arena.allocate(LinuxCalls.ERROR);
      MemorySegment address = arena.allocate(ValueLayout.JAVA_LONG);
      long result = (long) Calls.SET_UP_RING.invokeExact(error, SET_UP, 1, address);
      var _ = SystemCalls.checked(result, error);
      MemorySegment ring =
          MemorySegment.ofAddress(address.get(ValueLayout.JAVA_LONG, 0)).reinterpret(HEADER);
      if (ring.get(ValueLayout.JAVA_INT, MAGIC) != KNOWN) {
        throw new IOException("the ring is of an unknown kind");
      }
      return new CompletionRing(ring);
    } catch (Throwable e) {
      throw SystemCalls.thrown(e);
    }
  }

  /** Changes with every event. */
  int tail() {
    return (int) WORD.getAcquire(ring, (long) TAIL);
  }

  /**
   * Asks to be told, once, that there is something to read. Events of before are taken.
   *
   * @return what stands between; while it is open, it is told
   */
  SystemCalls.OpenFile tellOf(SystemCalls.OpenFile file) throws IOException {
    WORD.setRelease(ring, (long) HEAD, tail());
    SystemCalls.OpenFile between =
        SystemCalls.opened((error, flags) ->
            (int) Calls.EPOLL.invokeExact(error, flags & SystemCalls.CLOSE_ON_EXEC));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = arena.allocate(LinuxCalls.ERROR);
      MemorySegment interest = arena.allocate(12, Integer.BYTES);
      interest.set(ValueLayout.JAVA_INT, 0, READABLE);
      int added =
          (int)
              Calls.EPOLL_CONTROL.invokeExact(
                  error, between.number(), ADD, file.number(), interest);
      var _ = SystemCalls.checked(added, error);
      MemorySegment request = arena.allocate(REQUEST, Long.BYTES);
      request.set(ValueLayout.JAVA_SHORT, OPERATION, POLL);
      request.set(ValueLayout.JAVA_INT, FILE, between.number());
      request.set(ValueLayout.JAVA_INT, EVENTS, READABLE);
      MemorySegment list = arena.allocateFrom(ValueLayout.ADDRESS, request);
      long taken = (long) Calls.SUBMIT_TO_RING.invokeExact(error, SUBMIT, ring, 1L, list);
      var _ = SystemCalls.checked(taken, error);
      return between;
    } catch (Throwable e) {
      between.close();
      throw SystemCalls.thrown(e);
    }
  }

  /** Only for who has a use for them: setting each up takes milliseconds. */
  private static final class Calls {
    private static final Linker.Option NUMBERED = Linker.Option.firstVariadicArg(1);

    static final MethodHandle SET_UP_RING =
        LinuxCalls.call(
            "syscall",
            FunctionDescriptor.of(
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_INT,
                ValueLayout.ADDRESS),
            LinuxCalls.WITH_ERROR,
            NUMBERED);
    static final MethodHandle SUBMIT_TO_RING =
        LinuxCalls.call(
            "syscall",
            FunctionDescriptor.of(
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG,
                ValueLayout.ADDRESS,
                ValueLayout.JAVA_LONG,
                ValueLayout.ADDRESS),
            LinuxCalls.WITH_ERROR,
            NUMBERED);
    static final MethodHandle EPOLL =
        LinuxCalls.call(
            "epoll_create1",
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT),
            LinuxCalls.WITH_ERROR);
    static final MethodHandle EPOLL_CONTROL =
        LinuxCalls.call(
            "epoll_ctl",
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.ADDRESS),
            LinuxCalls.WITH_ERROR);
  }
}
