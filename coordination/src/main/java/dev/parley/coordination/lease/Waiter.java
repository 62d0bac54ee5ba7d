package dev.parley.coordination.lease;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.StoredTimes;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A lease request that waits for its turn.
 *
 * @param position of the request, which is its place in the queue
 * @param deadline when it gives up, in the ledger's time
 * @param offerTime how long an offer stands
 * @param offeredUntil when its offer ends; null if it has none
 */
public record Waiter(
    long position,
    LeaseTerms terms,
    Instant deadline,
    Duration offerTime,
    @Nullable Instant offeredUntil) {

  /** How long an offer stands if the request does not say. */
  public static final Duration OFFER = Duration.ofSeconds(5);

  public static final Duration LEAST_OFFER = Duration.ofSeconds(1);
  public static final Duration MOST_OFFER = Duration.ofMinutes(2);

  /** The longest time that a request may wait. */
  public static final Duration MOST_WAIT = Duration.ofDays(7);

  public boolean isOffered() {
    return offeredUntil != null;
  }

  /** When it is dropped: the end of its offer, or without one its deadline. */
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
