package dev.parley.dialects.swarm;

import java.time.Duration;
import java.util.function.Predicate;

/** How to wait: how often to look if nothing tells of a change, how long, and what for. */
public record PollOptions(Duration interval, Duration timeout, Predicate<SwarmMessage> filter) {
  /** What the design says if nobody says otherwise. */
  public static final PollOptions DEFAULT =
      new PollOptions(Duration.ofSeconds(5), Duration.ofMinutes(5), message -> true);

  PollOptions also(Predicate<SwarmMessage> condition) {
    return new PollOptions(interval, timeout, filter.and(condition));
  }
}
