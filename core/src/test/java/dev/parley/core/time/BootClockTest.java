package dev.parley.core.time;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class BootClockTest {
  private static final String BOOT = "413dba2b-7bcd-4580-898d-af3cee9402bd\n";

  @TempDir Path proc;

  private void uptime(String text) throws IOException {
    Files.writeString(proc.resolve("uptime"), text);
  }

  /** The start time of this process, whose name imitates the fields that follow the name. */
  private void begun(long ticks) throws IOException {
    Files.createDirectories(proc.resolve("self"));
    Files.writeString(
        proc.resolve("self/stat"),
        "7 (a) b 1 2 (c) S 1 7 7 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 " + ticks + " 9 9 9\n");
  }

  private void boot(String id) throws IOException {
    Path file = proc.resolve("sys/kernel/random/boot_id");
    Files.createDirectories(file.getParent());
    Files.writeString(file, id);
  }

  @Test
  void itIsTheUptimeWithTheBeginningOfTheBootId() throws IOException {
    uptime("1594.81 2632.14\n");
    begun(159_481);
    boot(BOOT);

    assertThat(BootClock.of(proc).now()).isEqualTo(new BootTime("413dba2b", 1_594_810));
  }

  @Test
  void afterASleepAFreshReadSeesItAtOnceAndACachedOneWithinASecond() throws IOException {
    uptime("100.00 1.00\n");
    begun(9_000);
    boot(BOOT);
    BootClock clock = BootClock.of(proc);
    assertThat(clock.now()).isNotNull();

    uptime("28900.00 1.00\n"); // eight hours later, unnoticed by the timer

    assertThat(requireNonNull(clock.now()).millis()).isBetween(100_000L, 102_000L);
    assertThat(requireNonNull(clock.lookUp()).millis()).isEqualTo(28_900_000);
    assertThat(requireNonNull(clock.now()).millis()).isGreaterThanOrEqualTo(28_900_000);
  }

  /** Timers that a test sets. */
  private static final class SetTimers extends LinuxBootClock.Timers {
    private long millis = 1_000;
    private long slept;

    @Override
    long nanos() {
      return millis * 1_000_000;
    }

    @Override
    long wall() {
      return millis + slept;
    }
  }

  @Test
  void theFirstReadAfterASleepSeesItAndOthersUseTheCache() throws IOException {
    uptime("100.00 1.00\n");
    begun(9_000);
    boot(BOOT);
    SetTimers timers = new SetTimers();
    BootClock clock = new LinuxBootClock(proc, timers);
    assertThat(requireNonNull(clock.awake()).millis()).isEqualTo(100_000);

    uptime("555.00 1.00\n"); // not read, because nothing indicates a sleep
    timers.millis += 300;
    assertThat(requireNonNull(clock.awake()).millis()).isEqualTo(100_300);

    uptime("28900.00 1.00\n");
    timers.slept = 28_800_000;
    assertThat(requireNonNull(clock.awake()).millis()).isEqualTo(28_900_000);

    timers.millis += 1_000; // a cached time is valid for a second, whatever the wall clock says
    uptime("28905.00 1.00\n");
    assertThat(requireNonNull(clock.awake()).millis()).isEqualTo(28_905_000);
  }

  @Test
  void anUptimeByWhichThisProcessBeganInTheFutureIsAnotherMachinesOrNone() throws IOException {
    uptime("3600.00 1.00\n"); // of a container that began an hour ago
    begun(86_400_000); // of a machine that began ten days ago
    boot(BOOT);
    BootClock clock = BootClock.of(proc);
    assertThat(clock.now()).isNull();

    uptime("99999999.00 1.00\n"); // the container has run for longer than that now
    assertThat(clock.lookUp()).isNull();
  }

  @Test
  void whereThereIsNoSuchFileOrItSaysSomethingElseThereIsNoSuchClock() throws IOException {
    BootClock clock = BootClock.of(proc);
    assertThat(clock.now()).isNull();

    begun(1);
    boot(BOOT);
    for (String strange : new String[] {"", "x", "12", "12.", "-1.00 2", "9".repeat(30) + ".00"}) {
      uptime(strange);
      assertThat(clock.lookUp()).as(strange).isNull();
    }
    uptime("12.34 1.00\n");
    boot("short");
    assertThat(clock.lookUp()).isNull();
    boot(BOOT);
    assertThat(clock.lookUp()).isEqualTo(new BootTime("413dba2b", 12_340));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void theClockOfThisMachineGoesOnAndNeverBack() {
    BootClock one = BootClock.system();
    BootClock other = BootClock.of(Path.of("/proc"));
    BootTime last = requireNonNull(one.now());
    for (int i = 0; i < 10_000; i++) {
      BootTime now = requireNonNull(i % 100 == 0 ? one.lookUp() : one.now());
      assertThat(now.boot()).isEqualTo(last.boot());
      assertThat(now.millis()).isGreaterThanOrEqualTo(last.millis());
      last = now;
    }
    assertThat(requireNonNull(other.now()).millis())
        .isBetween(last.millis() - 50, last.millis() + 2000);
  }
}
