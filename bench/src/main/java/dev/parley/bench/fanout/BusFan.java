package dev.parley.bench.fanout;

import dev.parley.core.Message;
import dev.parley.core.bus.Bus;
import dev.parley.core.bus.FeedStart;
import dev.parley.core.bus.Subscription;
import dev.parley.core.json.Json;
import java.util.List;

/** Ours: subscriptions of a bus in memory, which never drop, however slow the handler. */
final class BusFan implements Fan {
  private final Bus bus = Bus.inMemory();

  BusFan(List<Tally> consumers) {
    for (Tally consumer : consumers) {
      Subscription _ = bus.subscribe(Tally.PREFIX, FeedStart.END, envelope -> consumer.routed());
    }
  }

  @Override
  public void publish(Json payload) {
    var _ = bus.publish(Tally.TOPIC, Message.of("bench", "note", payload));
  }

  @Override
  public void close() {
    bus.close();
  }
}
