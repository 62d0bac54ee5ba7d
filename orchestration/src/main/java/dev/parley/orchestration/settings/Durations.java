package dev.parley.orchestration.settings;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Durations as people write them. */
public final class Durations {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)?");

  private Durations() {}

  /**
   * {@code 500ms}, {@code 90s}, {@code 5m}, {@code 2h}, {@code 1d}, or seconds; null if it is none.
   */
  public static @Nullable Duration parse(String text) {
    Matcher form = FORM.matcher(text.strip());
    if (!form.matches()) {
      return null;
    }
    long number = Long.parseLong(form.group(1));
    String unit = form.group(2) == null ? "s" : form.group(2);
    Duration time =
        switch (unit) {
          case "ms" -> Duration.ofMillis(number);
          case "m" -> Duration.ofMinutes(number);
          case "h" -> Duration.ofHours(number);
          case "d" -> Duration.ofDays(number);
          default -> Duration.ofSeconds(number);
        };
    return time.isZero() ? null : time;
  }

  /** The shortest form that {@link #parse} reads. */
  public static String show(Duration time) {
    long millis = time.toMillis();
    if (millis % 1000 != 0) {
      return millis + "ms";
    }
    long seconds = time.toSeconds();
    if (seconds % 86_400 == 0) {
      return seconds / 86_400 + "d";
    }
    if (seconds % 3600 == 0) {
      return seconds / 3600 + "h";
    }
    return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
  }
}
