package dev.parley.core.time;

import org.jspecify.annotations.Nullable;

/**
 * What the clock said that a machine has run since it began, sleep included. Nobody sets it, and
 * all processes of a machine read the same; readings of different boots can't be compared.
 *
 * <p>In a line: {@code "clock":"413dba2b:1594810"}.
 *
 * @param boot which boot, 1 to {@value #LONGEST_BOOT} characters {@code 0-9a-z}
 * @param millis since then, at most {@link #MOST}
 */
public record BootTime(String boot, long millis) {
  /** No machine runs for longer than a hundred years: what says so is no time. */
  public static final long MOST = 100L * 366 * 24 * 3600 * 1000;

  private static final int LONGEST_BOOT = 16;
  private static final int MOST_DIGITS = 13;

  public BootTime {
    if (!isBoot(boot) || millis < 0 || millis > MOST) {
      throw new IllegalArgumentException(boot + ":" + millis);
    }
  }

  /** Reads what {@link #toString} writes; null if it is anything else. */
  public static @Nullable BootTime parse(@Nullable String text) {
    int colon = text == null ? -1 : text.indexOf(':');
    if (text == null || colon < 0) {
      return null;
    }
    String boot = text.substring(0, colon);
    int digits = text.length() - colon - 1;
    if (!isBoot(boot) || digits < 1 || digits > MOST_DIGITS) {
      return null;
    }
    long millis = 0;
    for (int i = colon + 1; i < text.length(); i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return null;
      }
      millis = 10 * millis + digit;
    }
    return millis > MOST ? null : new BootTime(boot, millis);
  }

  private static boolean isBoot(String boot) {
    for (int i = 0; i < boot.length(); i++) {
      char c = boot.charAt(i);
      if ((c < '0' || c > '9') && (c < 'a' || c > 'z')) {
        return false;
      }
    }
    return !boot.isEmpty() && boot.length() <= LONGEST_BOOT;
  }

  @Override
  public String toString() {
    return boot + ':' + millis;
  }
}
