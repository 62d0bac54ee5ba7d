package dev.parley.orchestration.ask;

import java.time.Duration;

/**
 * The limits of a run. Every one is finite.
 *
 * @param ask how long an answer may take if neither the ask nor the agent has a limit
 * @param run how long the run may take
 * @param asks the most asks
 * @param costMicros the most cost in millionths of a dollar, as far as agents report it
 * @param output how many bytes of an answer are kept
 */
public record RunLimits(Duration ask, Duration run, int asks, long costMicros, int output) {
  public static final RunLimits DEFAULT =
      new RunLimits(Duration.ofMinutes(5), Duration.ofHours(1), 200, 20_000_000, 16 << 20);

  /** The highest values that can be set. */
  public static final RunLimits MOST =
      new RunLimits(Duration.ofHours(24), Duration.ofDays(7), 100_000, 100_000_000_000L, 32 << 20);

  public RunLimits withAsk(Duration time) {
    return new RunLimits(time, run, asks, costMicros, output);
  }

  public RunLimits withRun(Duration time) {
    return new RunLimits(ask, time, asks, costMicros, output);
  }

  public RunLimits withAsks(int most) {
    return new RunLimits(ask, run, most, costMicros, output);
  }

  public RunLimits withCost(long micros) {
    return new RunLimits(ask, run, asks, micros, output);
  }

  public RunLimits withOutput(int bytes) {
    return new RunLimits(ask, run, asks, costMicros, bytes);
  }
}
