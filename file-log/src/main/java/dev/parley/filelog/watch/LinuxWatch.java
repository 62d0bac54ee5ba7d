package dev.parley.filelog.watch;

import dev.parley.core.Topic;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.linux.SystemCalls;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Linux's inotify, through {@link SystemCalls}: the kernel wakes the waiting thread directly, which
 * saves the switch from the JDK's own thread.
 */
final class LinuxWatch implements ChangeWatch {
  private static final int CHANGED = 0x2 | 0x4;
  private static final int CREATED = 0x100 | 0x80;
  private static final int MOVED_ITSELF = 0x800;

  /** The folder was deleted, moved or unmounted. */
  private static final int ENDED = 0x8000 | 0x2000 | MOVED_ITSELF;

  private static final int OVERFLOWED = 0x4000;

  /** Offsets in {@code struct inotify_event}: the mask, the length of the name, the name. */
  private static final int MASK = 4;

  private static final int LENGTH = 12;
  private static final int NAME = 16;

  private final SystemCalls.OpenFile events;
  private final SystemCalls.OpenFile wakeCounter;
  private final SystemCalls.Files both;
  private final MemorySegment buffer = Arena.ofAuto().allocate(16 * 1024, Long.BYTES);

  /**
   * How many threads wait. Briefly two: the next may begin before the last has returned. Once
   * closed, the last to leave closes the files.
   */
  private int users;

  private boolean closed;

  private LinuxWatch(SystemCalls.OpenFile events, SystemCalls.OpenFile wakeCounter) {
    this.events = events;
    this.wakeCounter = wakeCounter;
    this.both = new SystemCalls.Files(events, wakeCounter);
  }

  static LinuxWatch open(Path folder) throws UnavailableException {
    SystemCalls.OpenFile events = null;
    try {
      events = SystemCalls.openEvents();
      SystemCalls.watch(events, folder, CHANGED | CREATED | MOVED_ITSELF);
      return new LinuxWatch(events, SystemCalls.openCounter());
    } catch (IOException e) {
      if (events != null) {
        events.close();
      }
      throw new UnavailableException("file watch failed: " + e.getMessage());
    }
  }

  @Override
  public boolean waitAndRing(long nanos, Consumer<Set<Topic>> ring, Runnable ringAll)
      throws InterruptedException {
    if (!enter()) {
      return false;
    }
    try {
      return !await(nanos) || read(ring, ringAll);
    } catch (IOException e) {
      return false;
    } finally {
      leave();
    }
  }

  /** Whether there are events. */
  private boolean await(long nanos) throws IOException, InterruptedException {
    Interruption interruption = new Interruption();
    interruption.listen();
    try {
      both.await(millis(nanos));
    } finally {
      interruption.ignore();
    }
    if (both.isReady(1)) {
      wakeCounter.read(buffer); // resets it
    }
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    return both.isReady(0);
  }

  /** Rounds up, because a wait that ends too early must be repeated. */
  private static int millis(long nanos) {
    return (int) Math.min(TimeUnit.NANOSECONDS.toMillis(nanos) + 1, Integer.MAX_VALUE);
  }

  /**
   * Ends the wait when the thread is interrupted, because an interrupt does not end {@code
   * poll(2)}.
   */
  private final class Interruption extends AbstractInterruptibleChannel {
    void listen() {
      begin();
    }

    void ignore() throws IOException {
      try {
        end(true);
      } catch (ClosedByInterruptException e) {
        // The thread's interrupt flag is set as well.
      }
    }

    @Override
    protected void implCloseChannel() {
      wake();
    }
  }

  private boolean read(Consumer<Set<Topic>> ring, Runnable ringAll) throws IOException {
    int length = events.read(buffer);
    Set<Topic> topics = new HashSet<>();
    int seen = 0;
    for (int at = 0; at < length; at += NAME + buffer.get(ValueLayout.JAVA_INT, at + LENGTH)) {
      seen |= buffer.get(ValueLayout.JAVA_INT, at + MASK);
      if (buffer.get(ValueLayout.JAVA_INT, at + LENGTH) > 0) {
        String name = buffer.getString(at + NAME, StandardCharsets.UTF_8);
        FileLog.topic(name).ifPresent(topics::add);
      }
    }
    if ((seen & OVERFLOWED) != 0) {
      ringAll.run();
    } else {
      ring.accept(topics);
    }
    return (seen & ENDED) == 0;
  }

  @Override
  public boolean holdsThread() {
    return true;
  }

  private synchronized boolean enter() {
    if (!closed) {
      users++;
    }
    return !closed;
  }

  private synchronized void leave() {
    users--;
    if (closed && users == 0) {
      closeFiles();
    }
  }

  private synchronized void wake() {
    if (users > 0) {
      wakeCounter.add(1);
    }
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (users == 0) {
      closeFiles();
    } else {
      wake();
    }
  }

  private void closeFiles() {
    events.close();
    wakeCounter.close();
  }
}
