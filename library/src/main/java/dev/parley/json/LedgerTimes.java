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
  /** A time as a line of JSON has it. */
  public String written(Instant time) {
    return Timestamps.format(time.plus(ahead));
  }
}
