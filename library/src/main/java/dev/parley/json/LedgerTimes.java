package dev.parley.json;

import dev.parley.core.time.Timestamps;
import java.time.Duration;
import java.time.Instant;

/**
 * Writes times of the ledger as wall clocks show them.
 *
 * @param ahead how far the wall clock is ahead of the ledger's time
 */
public record LedgerTimes(Duration ahead) {
  /** A time in the format of JSON output. */
  public String written(Instant time) {
    return Timestamps.format(time.plus(ahead));
  }
}
