package dev.parley.coordination;

import dev.parley.coordination.fold.FoldTime;
import dev.parley.core.time.BootClock;
import dev.parley.core.time.BootTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * The clocks of a simulated world: the true time, wall clocks that are off by some, and the boot
 * clock of a machine that sleeps and begins anew; in some worlds there is none.
 */
public final class WorldClocks implements BootClock {
  private static final Instant BEGIN = Instant.parse("2026-11-15T12:00:00Z");

  private final boolean hasBootClock;
  private Instant time = BEGIN;
  private Instant booted = BEGIN.minusSeconds(1000);
  private int boots = 1;

  public WorldClocks(Random random) {
    hasBootClock = random.nextInt(3) > 0;
  }

  public boolean hasBootClock() {
    return hasBootClock;
  }

  public Instant time() {
    return time;
  }

  public void pass(Duration by) {
    time = time.plus(by);
  }

  /** The machine begins anew. */
  public void reboot(Duration off) {
    boots++;
    pass(off);
    booted = time;
  }

  /** How far off a wall clock is: without a boot clock no further than the rules can bear. */
  public Duration skew(Random random) {
    return Duration.ofSeconds(
        !hasBootClock
            ? random.nextInt(7200) - 3600L
            : switch (random.nextInt(4)) {
              case 0 -> random.nextInt(2_000_000_000) - 200_000_000L; // since 2020, until 2083
              case 1 -> -random.nextInt(2_000_000_000); // long before
              default -> random.nextInt(40_000) - 20_000L;
            });
  }

  @Override
  public @Nullable BootTime now() {
    return hasBootClock
        ? new BootTime("boot" + boots, Duration.between(booted, time).toMillis())
        : null;
  }

  /**
   * The latest that it can be in a topic.
   *
   * @param latestClock the latest that any wall clock has shown, but for bad stamps
   */
  public Instant latest(FoldTime folded, Instant latestClock) {
    return folded.isOfBootClock() ? folded.present(now(), latestClock) : latestClock;
  }
}
