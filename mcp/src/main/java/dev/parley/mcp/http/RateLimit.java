package dev.parley.mcp.http;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Limits each agent's requests per second. After a pause, up to twice that many are accepted at
 * once.
 */
final class RateLimit {
  private static final double NANOS = 1e9;

  private final int perSecond;
  private final LongSupplier nanos;
  private final Map<String, Bucket> buckets = new ConcurrentHashMap<>();

  /**
   * Creates a limit.
   *
   * @param nanos the clock, as {@link System#nanoTime}
   */
  RateLimit(int perSecond, LongSupplier nanos) {
    this.perSecond = perSecond;
    this.nanos = nanos;
  }

  /** Counts a request. Returns whether it is within the limit. */
  boolean take(String agent) {
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
