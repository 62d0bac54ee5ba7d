package dev.parley.core;

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
  static final LinuxBootClock OF_THIS_MACHINE = new LinuxBootClock(Path.of("/proc"));

  /** How long a look is good for. */
  private static final long LASTS = 1_000_000_000; // ns

  private static final long MILLI = 1_000_000; // ns

  /** The file tells hundredths of a second: so much later may be the same. */
  private static final long SAME = 20; // ms

  /** How much a process may seem to have begun in the future. */
  private static final long SLACK = 1000; // ms

  private static final int BOOT_LENGTH = 8;

  /** Which field of {@code stat} is the start time, counted from the one after the name. */
  private static final int START_FIELD = 19;

  /** The kernel's unit for it, the same on every machine. */
  private static final long TICK = 10; // ms

  private final Path proc;
  private volatile @Nullable Look last;
  private volatile boolean isVirtual;

  /**
   * @param time null if there was none
   */
  private record Look(long nanos, @Nullable BootTime time) {
    @Nullable BootTime at(long now) {
      return time == null ? null : new BootTime(time.boot(), time.millis() + (now - nanos) / MILLI);
    }
  }

  LinuxBootClock(Path proc) {
    this.proc = proc;
  }

  @Override
  public @Nullable BootTime now() {
    Look look = last;
    long now = System.nanoTime();
    return look == null || now - look.nanos >= LASTS ? lookUp() : look.at(now);
  }

  @Override
  public synchronized @Nullable BootTime lookUp() {
    Look before = last;
    long nanos = System.nanoTime();
    BootTime found = isVirtual ? null : read(before == null ? null : before.time);
    BootTime expected = before == null ? null : before.at(nanos);
    if (found != null && expected != null) {
      long ahead = expected.millis() - found.millis();
      found = ahead > 0 && ahead <= SAME ? expected : found;
    }
    last = new Look(nanos, found);
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
