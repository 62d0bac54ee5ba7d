package dev.parley.orchestration.ask;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

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

  /** As a run has them on the bus, so that it keeps them when it is resumed. */
  Json toJson() {
    return Json.object()
        .put("askMillis", ask.toMillis())
        .put("runMillis", run.toMillis())
        .put("asks", asks)
        .put("costMicros", costMicros)
        .put("output", output)
        .build();
  }

  /**
   * The limits that a run has on the bus; those of another version, or out of range, do not count.
   */
  static @Nullable RunLimits of(@Nullable Json json) {
    Fields fields = Fields.of(json);
    RunLimits limits =
        new RunLimits(
            Duration.ofMillis(fields.number("askMillis", 0)),
            Duration.ofMillis(fields.number("runMillis", 0)),
            (int) fields.number("asks", 0),
            fields.number("costMicros", 0),
            (int) fields.number("output", 0));
    boolean set =
        limits.ask.isPositive()
            && limits.run.isPositive()
            && limits.asks > 0
            && limits.costMicros > 0
            && limits.output > 0;
    boolean finite =
        limits.ask.compareTo(MOST.ask) <= 0
            && limits.run.compareTo(MOST.run) <= 0
            && limits.asks <= MOST.asks
            && limits.costMicros <= MOST.costMicros
            && limits.output <= MOST.output;
    return set && finite ? limits : null;
  }

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
