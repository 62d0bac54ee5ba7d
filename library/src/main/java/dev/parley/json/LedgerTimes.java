package dev.parley.json;

import dev.parley.coordination.ledger.LedgerOwner;
import dev.parley.core.time.Timestamps;
import java.time.Duration;
import java.time.Instant;

/**
 * Writes times of the ledger as wall clocks show them.
 *
 * @param ahead how far the wall clock is ahead of the ledger's time
 */
public record LedgerTimes(Duration ahead) {
  /** As the wall clock of this machine shows them. */
  public static LedgerTimes of(LedgerOwner owner) {
    return new LedgerTimes(owner.wallAhead());
  }

  /** A time as a line of JSON has it. */
  public String written(Instant time) {
    return Timestamps.format(time.plus(ahead));
  }
}
