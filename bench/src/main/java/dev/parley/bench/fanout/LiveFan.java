package dev.parley.bench.fanout;

import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.bus.LiveSubscription;
import dev.parley.core.json.Json;
import dev.parley.core.memory.MemoryLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Ours: live subscriptions of a log in memory, with room for all, so that none is dropped. */
final class LiveFan implements Fan {
  private static final Duration WAIT = Duration.ofSeconds(10);

  private final MemoryLog log = new MemoryLog();
  private final List<LiveSubscription> subscriptions = new ArrayList<>();

  LiveFan(int count, List<Tally> consumers) {
    for (Tally consumer : consumers) {
      LiveSubscription subscription = log.live(Tally.PREFIX, count);
      subscriptions.add(subscription);
      Thread _ = Thread.ofPlatform().daemon().start(() -> consume(subscription, consumer));
    }
  }

  private static void consume(LiveSubscription subscription, Tally consumer) {
    try {
      while (!subscription.hasEnded()) {
        for (Envelope next = subscription.next(WAIT);
            next != null;
            next = subscription.next(WAIT)) {
          consumer.routed();
        }
      }
    } catch (InterruptedException e) {
      // Closed.
    }
  }

  @Override
  public void publish(Json payload) {
    var _ = log.append(Tally.TOPIC, List.of(Message.of("bench", "note", payload)));
  }

  @Override
  public void close() {
    for (LiveSubscription subscription : subscriptions) {
      if (subscription.dropped() > 0) {
        throw new IllegalStateException(subscription.dropped() + " were dropped");
      }
    }
    log.close();
  }
}
