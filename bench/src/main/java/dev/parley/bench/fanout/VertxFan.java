package dev.parley.bench.fanout;

import dev.parley.core.json.Json;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.List;

/**
 * The event bus of Vert.x, a verticle a consumer. It routes by whole addresses only, and sends text
 * because anything else would be copied or encoded.
 */
final class VertxFan implements Fan {
  private static final String TEXT = "x".repeat(100);

  private final Vertx vertx = Vertx.vertx();
  private final EventBus bus = vertx.eventBus();

  VertxFan(List<Tally> consumers) {
    for (Tally consumer : consumers) {
      String _ = vertx.deployVerticle(new Taker(consumer)).await();
    }
  }

  private static final class Taker extends VerticleBase {
    private final Tally consumer;

    Taker(Tally consumer) {
      this.consumer = consumer;
    }

    @Override
    public Future<?> start() {
      MessageConsumer<String> taking =
          vertx.eventBus().localConsumer(Tally.TOPIC.name(), message -> consumer.routed());
      return taking.completion();
    }
  }

  @Override
  public void publish(Json payload) {
    bus.publish(Tally.TOPIC.name(), TEXT);
  }

  @Override
  public void close() {
    vertx.close().await();
  }
}
