package dev.parley.coordination.lease;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.StoredTimes;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A request that waits for its turn.
 *
 * @param position of the request, which is its place in the queue
 * @param deadline when it gives up, in the ledger's time
 * @param offerTime how long an offer stands
 * @param offeredUntil when the offer made to it ends; null if none was made
 */
public record Waiter(
    long position,
    LeaseTerms terms,
    Instant deadline,
    Duration offerTime,
    @Nullable Instant offeredUntil) {

  /** How long an offer stands if nobody said. */
  public static final Duration OFFER = Duration.ofSeconds(5);

  public static final Duration LEAST_OFFER = Duration.ofSeconds(1);
  public static final Duration MOST_OFFER = Duration.ofMinutes(2);

  /** How long a request may wait at most. */
  public static final Duration MOST_WAIT = Duration.ofDays(7);

  public boolean isOffered() {
    return offeredUntil != null;
  }

  /** When it is dropped if nothing happens before. */
  public Instant end() {
    return offeredUntil == null ? deadline : offeredUntil;
  }

  Waiter offered(Instant until) {
    return new Waiter(position, terms, deadline, offerTime, until);
  }

  Waiter movedBack(Duration by) {
    return new Waiter(
        position,
        terms,
        StoredTimes.earlier(deadline, by),
        offerTime,
        offeredUntil == null ? null : StoredTimes.earlier(offeredUntil, by));
  }

  Json save() {
    Json.ObjectBuilder json =
        terms
            .save()
            .put("position", position)
            .put("deadline", Timestamps.format(deadline))
            .put("offerTime", offerTime.toSeconds());
    if (offeredUntil != null) {
      json.put("offeredUntil", Timestamps.format(offeredUntil));
    }
    return json.build();
  }

  static Waiter load(Fields saved) {
    return new Waiter(
        saved.number("position", 0),
        LeaseTerms.load(saved),
        saved.need("deadline"),
        Duration.ofSeconds(saved.number("offerTime", 0)),
        saved.time("offeredUntil"));
  }
}
