package dev.parley.mcp.http;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * How often each agent may ask: so many requests a second, and twice as many at once after a rest.
 */
public final class RateLimit {
  /** How many requests a second an agent may send if nobody said. */
  public static final int DEFAULT = 2_000;

  private static final double NANOS = 1e9;

  private final int perSecond;
  private final LongSupplier nanos;
  private final Map<String, Bucket> buckets = new ConcurrentHashMap<>();

  /**
   * Makes one that has seen nobody yet.
   *
   * @param nanos the time, as {@link System#nanoTime} tells it
   */
  public RateLimit(int perSecond, LongSupplier nanos) {
    this.perSecond = perSecond;
    this.nanos = nanos;
  }

  /** Counts a request; whether it is within the limit. */
  public boolean take(String agent) {
    return buckets.computeIfAbsent(agent, _ -> new Bucket()).take();
  }

  private final class Bucket {
    private double left = 2.0 * perSecond;
    private long last = nanos.getAsLong();

    synchronized boolean take() {
      long now = nanos.getAsLong();
      left = Math.min(2.0 * perSecond, left + (now - last) / NANOS * perSecond);
      last = now;
      if (left < 1) {
        return false;
      }
      left--;
      return true;
    }
  }
}
