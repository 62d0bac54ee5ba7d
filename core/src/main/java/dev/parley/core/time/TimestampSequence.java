package dev.parley.core.time;

/**
 * The timestamps of the lines that one writer appends, as text. Only the digits that differ from
 * the last timestamp are written. Timestamps never decrease, unless the clock is set back. Not safe
 * for use by several threads.
 */
public final class TimestampSequence {
  private static final long SECOND = 1_000_000;

  private final CachedClock clock;
  private final byte[] text = new byte[Timestamps.LENGTH];
  private long last = Long.MIN_VALUE;
  private long second = Long.MIN_VALUE;

  public TimestampSequence(CachedClock clock) {
    this.clock = clock;
  }

  /**
   * The time now, as {@link Timestamps#ascii} writes it: the same array each time.
   *
   * @param nanos what {@link System#nanoTime} has just said
   */
  public byte[] at(long nanos) {
    write(clock.microsAt(nanos));
    return text;
  }

  void write(long micros) {
    boolean isAhead = micros < last && last - micros <= CachedClock.LASTS / 1000;
    long time = isAhead ? last : micros;
    last = time;
    long seconds = Math.floorDiv(time, SECOND);
    if (seconds != second) {
      Timestamps.putSecond(text, seconds);
      second = seconds;
    }
    Timestamps.putMicros(text, (int) (time - SECOND * seconds));
  }

  @Override
  public String toString() {
    return new String(text, java.nio.charset.StandardCharsets.US_ASCII);
  }
}
