package dev.parley.bench.fanout;

import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import java.io.Closeable;
import java.util.List;

/** One way from publishers to consumers. Opened for a number of messages, then closed. */
public interface Fan extends Closeable {
  /** What is published, by everyone but Parley and Vert.x, which have their own. */
  record Note(Topic topic, Json payload) {}

  /** Publishes one message to {@link Tally#TOPIC}; called by one or by several threads. */
  void publish(Json payload) throws Exception;

  /** Checks that nothing was lost on the way, and ends the consumers' threads. */
  @Override
  void close();

  /** Opens the fan of a name. */
  static Fan named(String name, boolean onePublisher, int count, List<Tally> consumers)
      throws Exception {
    return switch (name) {
      case "live" -> new LiveFan(count, consumers);
      case "subscribe" -> new BusFan(consumers);
      case "submission" -> new SubmissionFan(consumers);
      case "vertx" -> new VertxFan(consumers);
      case "disruptor" -> new DisruptorFan(onePublisher, consumers);
      case "jctools" -> new QueueFan(onePublisher, consumers);
      default -> throw new IllegalArgumentException(name);
    };
  }
}
