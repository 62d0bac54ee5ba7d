package dev.parley.core.time;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * Times in an envelope. Written in one form only, {@code 2026-11-15T21:28:00.123456Z}: UTC,
 * microseconds, always as long, so that text order is time order. Read in any form of ISO 8601 that
 * tools around us write.
 */
public final class Timestamps {
  /** How long a time is as text. */
  public static final int LENGTH = 27;

  /** How long the shortest is that can be read: {@code 2026-11-15T21:28}. */
  private static final int SHORTEST = 16;

  /** Where the seconds of the usual form end. */
  private static final int SECONDS = 19;

  private Timestamps() {}

  /** A time as a number: the microseconds since 1970. */
  public static long micros(Instant time) {
    return Math.addExact(
        Math.multiplyExact(time.getEpochSecond(), 1_000_000L), time.getNano() / 1000);
  }

  public static Instant ofMicros(long micros) {
    return Instant.ofEpochSecond(
        Math.floorDiv(micros, 1_000_000L), 1000 * Math.floorMod(micros, 1_000_000L));
  }

  /** A time as it is written in a line, without quotes. */
  public static byte[] ascii(Instant time) {
    byte[] out = new byte[LENGTH];
    putSecond(out, time.getEpochSecond());
    putMicros(out, time.getNano() / 1000);
    return out;
  }

  /** Writes all of a time but its {@linkplain #putMicros microseconds}. */
  static void putSecond(byte[] out, long second) {
    LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(second, 86_400L));
    int ofDay = (int) Math.floorMod(second, 86_400L);
    twoDigits(out, 0, date.getYear() / 100);
    twoDigits(out, 2, date.getYear() % 100);
    out[4] = '-';
    twoDigits(out, 5, date.getMonthValue());
    out[7] = '-';
    twoDigits(out, 8, date.getDayOfMonth());
    out[10] = 'T';
    twoDigits(out, 11, ofDay / 3600);
    out[13] = ':';
    twoDigits(out, 14, ofDay / 60 % 60);
    out[16] = ':';
    twoDigits(out, 17, ofDay % 60);
    out[19] = '.';
    out[26] = 'Z';
  }

  static void putMicros(byte[] out, int micros) {
    twoDigits(out, 20, micros / 10_000);
    twoDigits(out, 22, micros / 100 % 100);
    twoDigits(out, 24, micros % 100);
  }

  public static String format(Instant time) {
    return new String(ascii(time), StandardCharsets.US_ASCII);
  }

  /**
   * Reads a time: with {@code T} or a space, any number of decimals, {@code Z}, an offset, or
   * nothing, which means UTC. Null if it is none.
   */
  public static @Nullable Instant parse(String text) {
    if (text.length() < SHORTEST) {
      return null; // most often it is empty, and an exception would cost more than all the rest
    }
    try {
      if (isUsual(text)) {
        return usual(text);
      }
      String iso = text.length() > 10 && text.charAt(10) == ' ' ? withT(text) : text;
      int last = iso.length() - 1;
      boolean zoned =
          last > 10
              && (iso.charAt(last) == 'Z' || iso.indexOf('+', 10) > 0 || iso.indexOf('-', 10) > 0);
      return zoned
          ? OffsetDateTime.parse(iso).toInstant()
          : LocalDateTime.parse(iso).toInstant(ZoneOffset.UTC);
    } catch (DateTimeException e) {
      return null;
    }
  }

  /** The form we write ourselves, with any number of decimals, which nearly all have. */
  private static boolean isUsual(String text) {
    int last = text.length() - 1;
    return last >= SECONDS
        && last <= SECONDS + 10
        && text.charAt(last) == 'Z'
        && text.charAt(4) == '-'
        && text.charAt(7) == '-'
        && text.charAt(10) == 'T'
        && text.charAt(13) == ':'
        && text.charAt(16) == ':'
        && (last == SECONDS || (last > SECONDS + 1 && text.charAt(SECONDS) == '.'));
  }

  /** A parser takes ten times as long. */
  private static Instant usual(String text) {
    int nanos = 0;
    int last = text.length() - 1;
    if (last > SECONDS) {
      nanos = number(text, SECONDS + 1, last);
      for (int digits = last - SECONDS - 1; digits < 9; digits++) {
        nanos *= 10;
      }
    }
    return LocalDateTime.of(
            number(text, 0, 4),
            number(text, 5, 7),
            number(text, 8, 10),
            number(text, 11, 13),
            number(text, 14, 16),
            number(text, 17, 19),
            nanos)
        .toInstant(ZoneOffset.UTC);
  }

  private static int number(String text, int from, int to) {
    int number = 0;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        throw new DateTimeException("not a digit");
      }
      number = 10 * number + (c - '0');
    }
    return number;
  }

  private static String withT(String text) {
    return text.substring(0, 10) + 'T' + text.substring(11);
  }

  private static void twoDigits(byte[] out, int at, int value) {
    out[at] = (byte) ('0' + value / 10 % 10);
    out[at + 1] = (byte) ('0' + value % 10);
  }
}
