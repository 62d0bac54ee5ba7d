package dev.parley.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** How much CPU a process uses, as the kernel counts it. */
public final class Cpu {
  /** USER_HZ, which is 100 on every Linux that is in use. */
  private static final double TICKS_PER_SECOND = 100;

  private Cpu() {}

  /** Percent of one core over a time, during which we sleep. */
  public static double percent(long pid, Duration during) throws IOException, InterruptedException {
    double before = seconds(pid);
    long from = System.nanoTime();
    Thread.sleep(during);
    return 100e9 * (seconds(pid) - before) / (System.nanoTime() - from);
  }

  /** User and system time so far, in seconds. */
  public static double seconds(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    // The name in parentheses may hold blanks; utime and stime are the 12th and 13th after it.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
  }
}
