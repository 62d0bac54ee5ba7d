package dev.parley.cli.terminal;

import dev.parley.coordination.ledger.LedgerOwner;
import dev.parley.core.ParleyException;
import dev.parley.core.time.Timestamps;
import dev.parley.json.LedgerTimes;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.TimeZone;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Formats and parses times in the user's zone.
 *
 * @param now when the command was given
 * @param zone loaded only if a time of day is shown or parsed, because loading takes 10 ms and more
 * @param ahead how far the wall clock is ahead of the times to be shown
 */
public record Times(Instant now, Supplier<TimeZone> zone, Duration ahead) {
  public static Times system() {
    return new Times(Instant.now(), TimeZone::getDefault, Duration.ZERO);
  }

  /** Times of the ledger, whose clock may differ from the wall clock. */
  public static Times of(LedgerOwner owner) {
    return new Times(Instant.now(), TimeZone::getDefault, owner.wallAhead());
  }

  /** Formats times: in UTC for programs, in local time for people. */
  public static Function<Instant, String> shownBy(Output out) {
    return out.isJson() ? Timestamps::format : time -> system().clock(time);
  }

  /** The current ledger time. */
  public Instant inLedger() {
    return now.minus(ahead);
  }

  /** For lines of JSON. */
  public LedgerTimes inJson() {
    return new LedgerTimes(ahead);
  }

  /** {@code 2026-11-15 21:28:00}. */
  String show(Instant shown) {
    Instant time = shown.plus(ahead);
    // A ZoneId would give the same result, but take another 10 ms to load.
    ZoneOffset offset = ZoneOffset.ofTotalSeconds(zone.get().getOffset(time.toEpochMilli()) / 1000);
    LocalDateTime local = LocalDateTime.ofEpochSecond(time.getEpochSecond(), 0, offset);
    StringBuilder text = new StringBuilder(19);
    digits(text, local.getYear(), 4).append('-');
    digits(text, local.getMonthValue(), 2).append('-');
    digits(text, local.getDayOfMonth(), 2).append(' ');
    digits(text, local.getHour(), 2).append(':');
    digits(text, local.getMinute(), 2).append(':');
    return digits(text, local.getSecond(), 2).toString();
  }

  /** {@code 14:03}, with the date in front if it is not today. */
  public String clock(Instant shown) {
    String all = show(shown);
    boolean today = all.regionMatches(0, show(now.minus(ahead)), 0, 10);
    return today ? all.substring(11, 16) : all.substring(0, 16);
  }

  private static StringBuilder digits(StringBuilder text, int value, int count) {
    String number = Integer.toString(value);
    return text.append("0".repeat(Math.max(0, count - number.length()))).append(number);
  }

  /** A time in the past: an age such as {@code 10m}, or a time. */
  public Instant past(String option, String text) {
    Duration age = duration(text);
    return age != null ? now.minus(age) : at(option, text);
  }

  /** A time in the future: an offset such as {@code 10m}, or a time. */
  public Instant future(String option, String text) {
    Duration left = duration(text);
    Instant time = left != null ? now.plus(left) : at(option, text);
    if (!time.isAfter(now)) {
      throw ParleyException.invalid(
          "bad-time", option + " \"" + text + "\" is not in the future.", "Write 10m, 2h or 1d.");
    }
    return time;
  }

  /** A duration such as {@code 90s} or {@code 10m}. */
  public static Duration duration(String option, String text) {
    Duration duration = duration(text);
    if (duration == null) {
      throw ParleyException.invalid(
          "bad-time", option + " \"" + text + "\" is not a duration.", "Write 90s, 10m, 2h or 1d.");
    }
    return duration;
  }

  /** How long ago something was: {@code 3 min ago}. */
  public String ago(Instant time) {
    long seconds = Math.max(0, Duration.between(time.plus(ahead), now).toSeconds());
    if (seconds < 60) {
      return seconds + " s ago";
    }
    if (seconds < 3600) {
      return seconds / 60 + " min ago";
    }
    return seconds < 86_400 ? seconds / 3600 + " h ago" : seconds / 86_400 + " d ago";
  }

  /** The given duration, or the default if none is given. */
  public static Duration duration(String option, @Nullable String text, Duration otherwise) {
    return text == null ? otherwise : duration(option, text);
  }

  /** A bare number is in seconds. */
  private static @Nullable Duration duration(String text) {
    int last = text.length() - 1;
    boolean alone = last >= 0 && text.charAt(last) >= '0' && text.charAt(last) <= '9';
    long unit =
        switch (alone || last < 1 ? 's' : text.charAt(last)) {
          case 's' -> 1;
          case 'm' -> 60;
          case 'h' -> 3600;
          case 'd' -> 86_400;
          default -> 0;
        };
    String number = alone ? text : text.substring(0, Math.max(0, last));
    // Nine digits are 30 years in seconds, and too few to overflow in days.
    if (unit == 0 || number.isEmpty() || number.length() > 9) {
      return null;
    }
    for (int i = 0; i < number.length(); i++) {
      if (number.charAt(i) < '0' || number.charAt(i) > '9') {
        return null;
      }
    }
    return Duration.ofSeconds(Long.parseLong(number) * unit);
  }

  private Instant at(String option, String text) {
    ZoneId zone = this.zone.get().toZoneId();
    String iso = text.strip().replace(' ', 'T').toUpperCase(Locale.ROOT);
    try {
      if (iso.indexOf('T') < 0) {
        LocalDateTime local =
            iso.indexOf(':') > 0
                ? LocalTime.parse(iso).atDate(LocalDate.ofInstant(now, zone))
                : LocalDate.parse(iso).atStartOfDay();
        return local.atZone(zone).toInstant();
      }
      boolean zoned = iso.endsWith("Z") || iso.indexOf('+') > 0 || iso.lastIndexOf('-') > 10;
      Instant time =
          zoned ? Timestamps.parse(iso) : LocalDateTime.parse(iso).atZone(zone).toInstant();
      if (time != null) {
        return time;
      }
    } catch (DateTimeException e) {
      // Reported below, for everything that is not a time.
    }
    throw ParleyException.invalid(
        "bad-time",
        option + " \"" + text + "\" is not a time.",
        "Write 90s, 10m, 2h or 1d, or a time such as 2026-11-15T21:28:00Z or 21:28.");
  }
}
