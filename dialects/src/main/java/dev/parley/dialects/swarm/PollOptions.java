package dev.parley.dialects.swarm;

import java.time.Duration;
import java.util.function.Predicate;

/** How to wait: the polling interval, the timeout, and the messages to wait for. */
public record PollOptions(Duration interval, Duration timeout, Predicate<SwarmMessage> filter) {
  /** Swarm's defaults. */
  public static final PollOptions DEFAULT =
      new PollOptions(Duration.ofSeconds(5), Duration.ofMinutes(5), message -> true);

  PollOptions also(Predicate<SwarmMessage> condition) {
    return new PollOptions(interval, timeout, filter.and(condition));
  }
}
