package dev.parley.core.time;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The clock that a log writes into lines that ask for it: time since the machine began, which
 * setting the wall clock does not move. Asked by any thread at any time.
 */
public interface BootClock {
  /**
   * The time now, or up to a second before; null if there is no such clock here.
   *
   * <p>It is late only after the machine slept: until the system's clock is looked at again.
   */
  @Nullable BootTime now();

  /** The time now, read anew: for a reader that is about to call another clock wrong. */
  default @Nullable BootTime lookUp() {
    return now();
  }

  /** The time now, looked up anew if the machine may have slept since the last look. */
  default @Nullable BootTime awake() {
    return lookUp();
  }

  /** There is no such clock. */
  BootClock NONE = () -> null;

  /** The clock of this machine; it never says anything where there is none. */
  static BootClock system() {
    return LinuxBootClock.OF_THIS_MACHINE;
  }

  /** The clock of a machine whose {@code /proc} is this folder. */
  static BootClock of(Path proc) {
    return new LinuxBootClock(proc, new LinuxBootClock.Timers());
  }

  /** A clock that starts now, for a log that does not outlast this process. */
  static BootClock ofProcess() {
    long begun = System.nanoTime();
    return () -> new BootTime("process", (System.nanoTime() - begun) / 1_000_000);
  }
}
