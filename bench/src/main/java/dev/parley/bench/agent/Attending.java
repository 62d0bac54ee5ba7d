package dev.parley.bench.agent;

import dev.parley.bench.carrier.ParleyCarrier;
import dev.parley.bench.process.Cue;
import dev.parley.bench.process.Role;
import dev.parley.bench.process.Stage;
import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.Prefix;
import dev.parley.core.Topic;
import dev.parley.core.bus.Bus;
import dev.parley.core.bus.Feed;
import dev.parley.core.bus.FeedStart;
import dev.parley.core.bus.Subscription;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a bus open, subscribes and publishes, as an agent's process does.
 *
 * <pre>
 * attend    folder                    attending nanos     subscribes to all topics and stays so
 * listen    folder                    attending nanos     subscribes to one topic and stays so
 * append    folder count gap          appended p50 mean   ns, gap ms apart
 * deliver   folder count              heard p50           ns from publishing to the attending handler
 * resume    folder count              resumed p50         ns to open a feed at the end and get a new message
 * subscribe folder subscribers count  delivered nanos     until all have all
 * leave     folder                    left                ends attend or listen
 * </pre>
 */
public final class Attending implements Role {
  private static final Prefix MANY = Prefix.of("many");
  private static final Topic WATCHED = new Topic("many.t0");
  private static final Duration WAIT = Duration.ofSeconds(30);
  private static final String TYPE = "note";

  private final Json payload = ParleyCarrier.payload(TYPE);
  private final Semaphore heard = new Semaphore(0);
  private @Nullable Bus attended;

  @Override
  public void play(Cue cue, Stage stage) throws Exception {
    String what = cue.word();
    String folder = cue.word();
    switch (what) {
      case "attend" -> attend(folder, stage);
      case "listen" -> listen(folder, stage);
      case "deliver" -> deliver(cue.number(), stage);
      case "append" -> append(folder, cue.number(), cue.number(), stage);
      case "resume" -> resume(folder, cue.number(), stage);
      case "subscribe" -> subscribe(folder, cue.number(), cue.number(), stage);
      case "leave" -> {
        leave();
        stage.say("left");
      }
      default -> throw new IllegalArgumentException(what);
    }
  }

  private Message message() {
    return ParleyCarrier.message(TYPE, payload);
  }

  /** Publishes one message to each of so many topics. */
  public static void makeTopics(String folder, int count) {
    Message message = ParleyCarrier.message(TYPE, ParleyCarrier.payload(TYPE));
    try (Bus bus = ParleyCarrier.open(folder, new ParleyCarrier.Reports())) {
      for (int i = 0; i < count; i++) {
        var _ = bus.publish(new Topic("many.t" + i), message);
      }
    }
  }

  private void attend(String folder, Stage stage) {
    long from = System.nanoTime();
    Bus bus = ParleyCarrier.open(folder, new ParleyCarrier.Reports());
    attended = bus;
    Subscription _ = bus.subscribe(MANY, FeedStart.END, envelope -> heard.release());
    stage.say("attending", System.nanoTime() - from);
  }

  private void listen(String folder, Stage stage) {
    long from = System.nanoTime();
    Bus bus = ParleyCarrier.open(folder, new ParleyCarrier.Reports());
    attended = bus;
    Subscription _ = bus.subscribe(new Prefix(ParleyCarrier.TOPIC), FeedStart.END, envelope -> {});
    stage.say("attending", System.nanoTime() - from);
  }

  private void deliver(int count, Stage stage) throws InterruptedException {
    Bus bus = Objects.requireNonNull(attended);
    long[] times = new long[count];
    var _ = heard.drainPermits();
    for (int i = 0; i < count; i++) {
      long from = System.nanoTime();
      var _ = bus.publish(WATCHED, message());
      if (!heard.tryAcquire(1, TimeUnit.MINUTES)) {
        throw new IllegalStateException("the message did not arrive");
      }
      times[i] = System.nanoTime() - from;
    }
    Arrays.sort(times);
    stage.say("heard", times[count / 2]);
  }

  private void append(String folder, int count, int gap, Stage stage) throws Exception {
    long[] times = new long[count];
    Bus bus = attended == null ? ParleyCarrier.open(folder, new ParleyCarrier.Reports()) : attended;
    Topic topic = attended == null ? ParleyCarrier.TOPIC : WATCHED;
    long total = 0;
    for (int i = 0; i < count; i++) {
      long from = System.nanoTime();
      var _ = bus.publish(topic, message());
      times[i] = System.nanoTime() - from;
      total += times[i];
      if (gap > 0) {
        Thread.sleep(gap);
      }
    }
    if (attended == null) {
      bus.close();
    }
    Arrays.sort(times);
    stage.say("appended", times[count / 2], total / count);
  }

  private void resume(String folder, int count, Stage stage) throws InterruptedException {
    long[] times = new long[count];
    try (Bus writer = ParleyCarrier.open(folder, new ParleyCarrier.Reports())) {
      for (int i = 0; i < count; i++) {
        long from = System.nanoTime();
        try (Bus reader = ParleyCarrier.open(folder, new ParleyCarrier.Reports());
            Feed feed = reader.feed(new Prefix(ParleyCarrier.TOPIC), FeedStart.END)) {
          var _ = writer.publish(ParleyCarrier.TOPIC, message());
          Envelope found = feed.next(WAIT);
          if (found == null) {
            throw new IllegalStateException("the message did not arrive");
          }
        }
        times[i] = System.nanoTime() - from;
      }
    }
    Arrays.sort(times);
    stage.say("resumed", times[count / 2]);
  }

  private void subscribe(String folder, int subscribers, int count, Stage stage)
      throws InterruptedException {
    CountDownLatch all = new CountDownLatch(subscribers);
    try (Bus bus = ParleyCarrier.open(folder, new ParleyCarrier.Reports())) {
      for (int i = 0; i < subscribers; i++) {
        AtomicInteger seen = new AtomicInteger();
        Subscription _ =
            bus.subscribe(
                new Prefix(ParleyCarrier.TOPIC),
                FeedStart.END,
                envelope -> {
                  if (seen.incrementAndGet() == count) {
                    all.countDown();
                  }
                });
      }
      long from = System.nanoTime();
      for (int i = 0; i < count; i++) {
        var _ = bus.publishAsync(ParleyCarrier.TOPIC, message());
      }
      if (!all.await(1, TimeUnit.MINUTES)) {
        throw new IllegalStateException("not everything was delivered");
      }
      stage.say("delivered", System.nanoTime() - from);
    }
  }

  private void leave() {
    if (attended != null) {
      attended.close();
    }
    attended = null;
  }
}
