package dev.parley.core.time;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The boot clock of Linux: {@code /proc/uptime}, with the beginning of {@code boot_id}.
 *
 * <p>The file is read once a second; in between the timer says how long ago that was. The timer
 * stands still while the machine sleeps, so a reading that is kept is only ever behind.
 *
 * <p>Containers may be shown an uptime of their own ({@code lxcfs}), which differs from that of
 * other processes of the machine. It gives itself away: by it, this process began in the future
 * ({@code /proc/self/stat}, which is not virtual). Then there is no such clock, for good.
 */
final class LinuxBootClock implements BootClock {
  static final LinuxBootClock OF_THIS_MACHINE = new LinuxBootClock(Path.of("/proc"), new Timers());

  /** How long a look is good for. */
  private static final long LASTS = 1_000_000_000; // ns

  private static final long MILLI = 1_000_000; // ns

  /** The file has hundredths of a second, so readings this close may be the same time. */
  private static final long SAME = 20; // ms

  /** How far in the future a process may seem to have started. */
  private static final long SLACK = 1000; // ms

  private static final int BOOT_LENGTH = 8;

  /** Which field of {@code stat} is the start time, counted from the one after the name. */
  private static final int START_FIELD = 19;

  /** The kernel's unit for it, the same on every machine. */
  private static final long TICK = 10; // ms

  private final Path proc;
  private final Timers timers;
  private volatile @Nullable Look last;
  private volatile boolean isVirtual;

  /**
   * @param wall what the wall clock said, in milliseconds
   * @param time null if there was none
   */
  private record Look(long nanos, long wall, @Nullable BootTime time) {
    @Nullable BootTime at(long now) {
      return time == null ? null : new BootTime(time.boot(), time.millis() + (now - nanos) / MILLI);
    }
  }

  /** The JVM's own. Not lambdas: those cost a short command more than all it does with them. */
  static class Timers {
    /** Stands still while the machine sleeps. */
    long nanos() {
      return System.nanoTime();
    }

    /** Goes on, in milliseconds; but somebody may set it. */
    long wall() {
      return System.currentTimeMillis();
    }
  }

  LinuxBootClock(Path proc, Timers timers) {
    this.proc = proc;
    this.timers = timers;
  }

  @Override
  public @Nullable BootTime now() {
    Look look = last;
    long now = timers.nanos();
    return look == null || now - look.nanos >= LASTS ? lookUp() : look.at(now);
  }

  /**
   * Reads the clock anew if the wall clock and the timer disagree on how long ago the last reading
   * was: then the machine has slept. They also disagree after the wall clock was set, which costs a
   * needless reading. A sleep that ends with the wall clock set back by just its length is noticed
   * a second later.
   */
  @Override
  public @Nullable BootTime awake() {
    Look look = last;
    long now = timers.nanos();
    if (look == null || now - look.nanos >= LASTS) {
      return lookUp();
    }
    long passed = (now - look.nanos) / MILLI;
    boolean slept = Math.abs(timers.wall() - look.wall - passed) > SAME;
    return slept ? lookUp() : look.at(now);
  }

  @Override
  public synchronized @Nullable BootTime lookUp() {
    Look before = last;
    long now = timers.nanos();
    long time = timers.wall();
    BootTime found = isVirtual ? null : read(before == null ? null : before.time);
    BootTime expected = before == null ? null : before.at(now);
    if (found != null && expected != null) {
      long ahead = expected.millis() - found.millis();
      found = ahead > 0 && ahead <= SAME ? expected : found;
    }
    last = new Look(now, time, found);
    return found;
  }

  private @Nullable BootTime read(@Nullable BootTime before) {
    try {
      long uptime = uptime(text("uptime"));
      if (before != null) {
        return new BootTime(before.boot(), uptime);
      }
      if (start(text("self/stat")) > uptime + SLACK) {
        isVirtual = true;
        return null;
      }
      String boot = text("sys/kernel/random/boot_id");
      return new BootTime(boot.substring(0, BOOT_LENGTH), uptime);
    } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException e) {
      return null; // another system, or no descriptor is left: then the next look may find it
    }
  }

  private String text(String file) throws IOException {
    return new String(Files.readAllBytes(proc.resolve(file)), StandardCharsets.ISO_8859_1);
  }

  /** {@code 1594.81 2632.14}: up, and idle. */
  private static long uptime(String text) {
    int point = text.indexOf('.');
    long seconds = Long.parseUnsignedLong(text.substring(0, point));
    return 1000 * seconds + 10 * Long.parseLong(text.substring(point + 1, point + 3));
  }

  private static long start(String stat) {
    int at = stat.lastIndexOf(')') + 2; // a name may hold anything
    for (int field = 0; field < START_FIELD; field++) {
      at = stat.indexOf(' ', at) + 1;
    }
    return TICK * Long.parseLong(stat.substring(at, stat.indexOf(' ', at)));
  }
}
