package dev.parley.core.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.core.Bookmark;
import dev.parley.core.Doorbell;
import dev.parley.core.Envelope;
import dev.parley.core.ForwardingLog;
import dev.parley.core.Limits;
import dev.parley.core.Log;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Prefix;
import dev.parley.core.Reporter;
import dev.parley.core.Seed;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.core.memory.MemoryLog;
import dev.parley.core.store.Cursors;
import dev.parley.core.writer.WriterId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class FeedTest {
  @Test
  void aBusyTopicDoesNotStarveTheOthers() {
    try (Bus bus = Bus.inMemory()) {
      for (int i = 0; i < 5 * Feed.BATCH; i++) {
        bus.publish(new Topic("busy"), Message.of("a", "n", Json.of(i)));
      }
      bus.publish(new Topic("quiet"), Message.of("a", "n", Json.of(1)));
      Feed feed = bus.feed(Prefix.ALL, FeedStart.BEGINNING);
      int before = 0;
      for (Envelope e = feed.poll(); e != null; e = feed.poll()) {
        if (e.topic().name().equals("quiet")) {
          break;
        }
        before++;
      }
      assertThat(before).isLessThanOrEqualTo(2 * Feed.BATCH);
    }
  }

  @Test
  void aLostRingIsMadeUpForByASweep() throws Exception {
    try (DeafLog log = new DeafLog()) {
      Feed feed = new Feed(log, Prefix.ALL, l -> Map.of(), Reporter.TO_LOG);
      assertThat(feed.poll()).isNull();
      log.append(new Topic("a"), List.of(Message.of("a", "n", Json.of(1))));

      assertThat(feed.next(Feed.SWEEP.multipliedBy(4))).isNotNull();
    }
  }

  /** Not only at the next sweep. */
  @Test
  void aFeedOnAClosedLogFailsAtOnce() throws Exception {
    AtomicInteger waits = new AtomicInteger();
    MemoryLog log = new MemoryLog();
    Feed feed = new Feed(new WaitsCounted(log, waits), Prefix.ALL, l -> Map.of(), Reporter.TO_LOG);
    log.close();

    assertThatThrownBy(() -> feed.next(Feed.SWEEP.multipliedBy(4)))
        .isInstanceOf(ParleyException.class)
        .hasMessageContaining("closed");
    assertThat(waits).hasValue(1);
  }

  private static final class WaitsCounted extends ForwardingLog {
    private final AtomicInteger waits;

    WaitsCounted(Log log, AtomicInteger waits) {
      super(log);
      this.waits = waits;
    }

    @Override
    public Doorbell doorbell(Prefix under) {
      Doorbell hung = super.doorbell(under);
      return new Doorbell() {
        @Override
        public Set<Topic> await(Duration atMost) throws InterruptedException {
          waits.incrementAndGet();
          return hung.await(atMost);
        }

        @Override
        public void close() {
          hung.close();
        }
      };
    }
  }

  @Test
  @Timeout(30)
  void aDoorbellAddedAfterAllWereClosedDoesNotWait() throws Exception {
    LocalDoorbell.DoorbellRegistry registry = new LocalDoorbell.DoorbellRegistry();
    registry.closeAll();
    assertThat(registry.add(Prefix.ALL).await(Duration.ofDays(1))).isEmpty();
  }

  @Test
  @Timeout(30)
  void aFeedThatIsMadeWhileItsBusIsClosedIsClosedToo() {
    AtomicReference<Bus> bus = new AtomicReference<>();
    List<Doorbell> hung = new ArrayList<>();
    Log log =
        new ForwardingLog(new MemoryLog()) {
          @Override
          public Doorbell doorbell(Prefix under) {
            hung.add(super.doorbell(under));
            return hung.getFirst();
          }

          @Override
          public Set<Topic> topics(Prefix under) {
            Set<Topic> topics = super.topics(under);
            bus.get().close();
            return topics;
          }

          @Override
          public void close() {
            // Keeps the test's doorbells open.
          }
        };
    bus.set(new Bus(log, Cursors.inMemory(), Reporter.TO_LOG));

    assertThatThrownBy(() -> bus.get().feed(Prefix.ALL, FeedStart.BEGINNING))
        .isInstanceOf(ParleyException.class)
        .hasMessageContaining("closed");
    assertThat(hung)
        .singleElement()
        .satisfies(one -> assertThat(one.await(Duration.ofDays(1))).isEmpty());
  }

  @Test
  void manyTopicsAreSweptInTurnSoThatASweepCostsTheSameHoweverManyThereAre() {
    try (DeafLog log = new DeafLog()) {
      int topics = 2 * Feed.SWEPT;
      appendToEach(log, topics);
      Feed feed = new Feed(log, Prefix.ALL, FeedTest::ends, Reporter.TO_LOG);
      assertThat(feed.poll()).isNull();
      appendToEach(log, topics + 1);
      for (int sweep = 0; sweep < 2; sweep++) {
        feed.sweep();
        assertThat(count(feed)).isEqualTo(Feed.SWEPT);
      }
      int left = 0;
      for (int sweep = 0; sweep < 3; sweep++) {
        feed.sweep();
        left += count(feed);
      }
      assertThat(left).as("the topic that is new").isEqualTo(1);
    }
  }

  private static void appendToEach(Log log, int topics) {
    for (int i = 0; i < topics; i++) {
      var _ = log.append(new Topic("t" + i), List.of(Message.of("a", "n", Json.of(1))));
    }
  }

  private static Map<Topic, Bookmark> ends(Log log) {
    return log.topics(Prefix.ALL).stream().collect(Collectors.toMap(topic -> topic, log::end));
  }

  private static int count(Feed feed) {
    int count = 0;
    while (feed.poll() != null) {
      count++;
    }
    return count;
  }

  /** A memory log with doorbells that never ring. */
  private static final class DeafLog extends ForwardingLog {
    DeafLog() {
      super(new MemoryLog());
    }

    @Override
    public Doorbell doorbell(Prefix under) {
      Doorbell silent = new MemoryLog().doorbell(under);
      return silent;
    }
  }

  private static final WriterId W = new WriterId(3, 4);

  @Test
  void aWriterIsReadBackFromAnIdAndNothingElseIsOne() {
    for (int i = 0; i < 1000; i++) {
      WriterId writer = WriterId.random();
      assertThat(WriterId.in(writer.id(1 + i))).isEqualTo(writer);
    }
    for (String id :
        List.of(
            "",
            "4711-3",
            W + "-0",
            W + "-",
            W + "-1x",
            W + "x-1",
            W.toString(),
            W + "-01",
            "A" + W + "-1")) {
      assertThat(WriterId.in(id)).as(id).isNull();
    }
  }

  @Test
  void theWriterTableTellsNextRepeatAndGap() {
    WriterTable table = new WriterTable(Limits.DEFAULT);
    assertThat(table.see(W, 5)).as("a writer not seen before").isEqualTo(5);
    assertThat(table.see(W, 6)).isEqualTo(6);
    assertThat(table.see(W, 9)).as("7 and 8 are missing").isEqualTo(7);
    assertThat(table.see(W, 9)).as("a repeat").isEqualTo(10);
    assertThat(table.see(W, 3)).as("an old repeat").isEqualTo(10);
    assertThat(table.see(W, 10)).isEqualTo(10);
  }

  @Test
  void theWriterTableForgetsTheWriterUnheardOfLongest() {
    Random random = Seed.random("theWriterTableForgets");
    int remembered = 1 + random.nextInt(2000);
    Limits limits = new Limits(Limits.DEFAULT_LINE, Limits.DEFAULT_DEPTH, remembered);
    WriterTable table = new WriterTable(limits);
    table.see(W, 7);
    for (int i = 0; i < remembered - 1; i++) {
      table.see(new WriterId(1, i), 1 + random.nextInt(9));
    }
    assertThat(table.see(W, 7)).as("still remembered").isEqualTo(8);
    for (int i = 0; i < remembered; i++) {
      table.see(new WriterId(2, i), 1);
    }
    assertThat(table.see(W, 7)).as("forgotten").isEqualTo(7);
  }

  @Test
  void aFeedOfNothingWaitsOnlyAsLongAsItMay() throws Exception {
    try (Bus bus = Bus.inMemory()) {
      Feed feed = bus.feed(Prefix.ALL, FeedStart.BEGINNING);
      assertThat(feed.next(Duration.ofMillis(10))).isNull();
      assertThat(feed.next(Duration.ZERO)).isNull();
    }
  }
}
