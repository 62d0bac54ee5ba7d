package dev.parley.bench.carrier;

import dev.parley.core.Bookmark;
import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.Message;
import dev.parley.core.Prefix;
import dev.parley.core.Reporter;
import dev.parley.core.Stored;
import dev.parley.core.Topic;
import dev.parley.core.bus.Bus;
import dev.parley.core.bus.Feed;
import dev.parley.core.bus.FeedStart;
import dev.parley.core.bus.Subscription;
import dev.parley.core.json.Json;
import dev.parley.core.memory.MemoryLog;
import dev.parley.core.store.Cursors;
import dev.parley.filelog.Durability;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.watch.PollingInterval;
import java.io.Closeable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Ours: a bus in a folder, used as its users do. */
public final class ParleyCarrier implements Carrier {
  public static final Topic TOPIC = new Topic("load");

  private static final String SENDER = "bench";
  private static final Duration WAIT = Duration.ofMillis(500);

  /** A bus in a folder. Whatever it reports means that a message was lost or doubled. */
  public static Bus open(String folder, Reporter reporter) {
    return open(folder, Durability.OS, reporter);
  }

  /** A bus in a folder. Whatever it reports means that a message was lost or doubled. */
  public static Bus open(String folder, Durability durability, Reporter reporter) {
    return new Bus(
        new FileLog(Path.of(folder), Limits.DEFAULT, PollingInterval.DEFAULT, durability),
        Cursors.inMemory(),
        reporter);
  }

  /** A message that becomes a line of {@link Text#LENGTH} bytes, give or take digits of its seq. */
  public static Message message(String type, Json payload) {
    return Message.of(SENDER, type, payload);
  }

  /** A payload that makes such a line. */
  public static Json payload(String type) {
    Text text = payloadText(type);
    return Json.scanned(text.bytes(), 0, text.bytes().length);
  }

  private static Text payloadText(String type) {
    try (MemoryLog log = new MemoryLog()) {
      var _ = log.append(TOPIC, List.of(message(type, Json.EMPTY_OBJECT)));
      Envelope envelope = log.read(TOPIC, Bookmark.START, 1).envelopes().getFirst();
      int usualDigits = 10; // of seq and number, more than the one each has here
      int frame = envelope.toLine().length - Json.EMPTY_OBJECT.length() + usualDigits + 1;
      return Text.payload(Text.LENGTH - frame);
    }
  }

  @Override
  public Sender sender(String place, int batch) {
    Reports reports = new Reports();
    Bus bus = open(place, reports);
    Messages messages = new Messages();
    return switch (batch) {
      case ASYNCHRONOUS -> new AsynchronousSender(bus, messages);
      case 1 -> new WaitingSender(bus, messages);
      default -> new BatchSender(bus, messages, batch);
    };
  }

  private static final class Messages {
    private static final String TYPE = "note";
    private final Text text = payloadText(TYPE);
    private final Json constant = payload(TYPE);

    Message next(long stamp) {
      Json payload =
          stamp == 0 ? constant : Json.scanned(text.stamp(stamp), 0, text.bytes().length);
      return message(TYPE, payload);
    }
  }

  private record WaitingSender(Bus bus, Messages messages) implements Sender {
    @Override
    public void send(long stamp) {
      var _ = bus.publish(TOPIC, messages.next(stamp));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
      bus.close();
    }
  }

  private static final class AsynchronousSender implements Sender {
    private final Bus bus;
    private final Messages messages;
    private @Nullable CompletableFuture<Stored> last;

    AsynchronousSender(Bus bus, Messages messages) {
      this.bus = bus;
      this.messages = messages;
    }

    @Override
    public void send(long stamp) {
      last = bus.publishAsync(TOPIC, messages.next(stamp));
    }

    @Override
    public void flush() throws Exception {
      if (last != null) {
        var _ = last.get();
      }
    }

    @Override
    public void close() {
      bus.close();
    }
  }

  private static final class BatchSender implements Sender {
    private final Bus bus;
    private final Messages messages;
    private final int batch;
    private List<Message> waiting = new ArrayList<>();

    BatchSender(Bus bus, Messages messages, int batch) {
      this.bus = bus;
      this.messages = messages;
      this.batch = batch;
    }

    @Override
    public void send(long stamp) {
      waiting.add(messages.next(stamp));
      if (waiting.size() == batch) {
        flush();
      }
    }

    @Override
    public void flush() {
      var _ = bus.publish(TOPIC, waiting);
      waiting = new ArrayList<>(batch);
    }

    @Override
    public void close() {
      bus.close();
    }
  }

  @Override
  public Counter counter(String place) {
    Reports reports = new Reports();
    Bus bus = open(place, reports);
    Feed feed = bus.feed(new Prefix(TOPIC), FeedStart.BEGINNING);
    return new Counter() {
      @Override
      public long take() throws InterruptedException {
        return feed.next(WAIT) == null ? 0 : 1;
      }

      @Override
      public void close() {
        bus.close();
        reports.check();
      }
    };
  }

  @Override
  public Closeable listener(String place, LongConsumer onStamp) {
    Bus bus = open(place, new Reports());
    Subscription _ =
        bus.subscribe(
            new Prefix(TOPIC), FeedStart.END, envelope -> onStamp.accept(stampIn(envelope)));
    return bus::close;
  }

  private static long stampIn(Envelope envelope) {
    Json stamp = Objects.requireNonNull(envelope.payload().fields().get("t"));
    return Long.parseLong(Objects.requireNonNull(stamp.text()));
  }

  /** Remembers that something was reported. */
  public static final class Reports implements Reporter {
    private final AtomicReference<@Nullable String> first = new AtomicReference<>();

    @Override
    public void report(dev.parley.core.Report report) {
      first.compareAndSet(null, report.describe());
    }

    /** Fails if anything was. */
    public void check() {
      String report = first.get();
      if (report != null) {
        throw new IllegalStateException(report);
      }
    }
  }
}
