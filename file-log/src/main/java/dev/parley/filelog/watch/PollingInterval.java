package dev.parley.filelog.watch;

import dev.parley.core.ParleyException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/**
 * The interval at which file sizes are polled where no file watch works: short at first, longer
 * after several polls without a change, short again after a change.
 *
 * @param first {@code BUS_POLL_INTERVAL}
 * @param longest {@code BUS_POLL_MAX_INTERVAL}
 */
public record PollingInterval(Duration first, Duration longest) {
  /** After how many polls without a change the interval reaches the longest. */
  static final int IDLE_POLLS = 5;

  public static final PollingInterval DEFAULT =
      new PollingInterval(Duration.ofMillis(100), Duration.ofSeconds(1));

  public PollingInterval {
    if (first.isNegative() || first.isZero() || longest.compareTo(first) < 0) {
      throw ParleyException.invalid(
          "bad-poll-interval",
          "The polling intervals " + first + " and " + longest + " do not fit together.",
          "BUS_POLL_INTERVAL must be above 0 and at most BUS_POLL_MAX_INTERVAL.");
    }
  }

  /** The settings in the environment. The longest interval is never below the first. */
  public static PollingInterval from(Map<String, String> environment) {
    Duration first = duration(environment, "BUS_POLL_INTERVAL", DEFAULT.first);
    Duration longest = duration(environment, "BUS_POLL_MAX_INTERVAL", DEFAULT.longest);
    return new PollingInterval(first, longest.compareTo(first) < 0 ? first : longest);
  }

  public Duration after(int idleLooks) {
    return idleLooks < IDLE_POLLS ? first : longest;
  }

  private static Duration duration(
      Map<String, String> environment, String name, Duration otherwise) {
    String text = environment.getOrDefault(name, "").trim().toLowerCase(Locale.ROOT);
    if (text.isEmpty()) {
      return otherwise;
    }
    try {
      if (text.endsWith("ms")) {
        return Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)));
      }
      if (text.endsWith("s")) {
        double seconds = Double.parseDouble(text.substring(0, text.length() - 1));
        return Duration.ofNanos((long) (seconds * 1e9));
      }
      return Duration.ofMillis(Long.parseLong(text));
    } catch (NumberFormatException e) {
      throw ParleyException.invalid(
          "bad-setting", name + "=" + text + " is not a time.", "Write it as 250ms or 1s.");
    }
  }
}
