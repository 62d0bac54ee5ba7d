package dev.parley.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Bookmark;
import dev.parley.core.Doorbell;
import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.Log;
import dev.parley.core.LogContract;
import dev.parley.core.Message;
import dev.parley.core.Position;
import dev.parley.core.Prefix;
import dev.parley.core.Report;
import dev.parley.core.Reporter;
import dev.parley.core.Stored;
import dev.parley.core.Topic;
import dev.parley.core.bus.Bus;
import dev.parley.core.bus.BusContract;
import dev.parley.core.bus.LiveSubscription;
import dev.parley.core.json.Json;
import dev.parley.core.store.Cursors;
import dev.parley.core.time.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class MemoryLogTest {
  @Nested
  class IsALog extends LogContract {
    @Override
    protected Log open() {
      return new MemoryLog();
    }
  }

  @Nested
  class CarriesABus extends BusContract {
    @Override
    protected Bus open(Reporter reporter) {
      return new Bus(new MemoryLog(), Cursors.inMemory(), reporter);
    }
  }

  private static final Topic A = new Topic("a");

  private static Message message(int number) {
    return Message.of("alice", "n", Json.of(number));
  }

  @Test
  void aBatchOfManyPagesIsReadBackFromAnyPlace() {
    try (MemoryLog log = new MemoryLog()) {
      log.append(A, List.of(message(0)));
      int count = 5 * MemoryPage.SIZE;
      List<Stored> stored =
          log.append(A, IntStream.range(1, count).mapToObj(MemoryLogTest::message).toList());

      assertThat(stored).hasSize(count - 1);
      for (int from = 0; from < count; from++) {
        List<Envelope> found = log.read(A, Bookmark.at(new Position(from)), 70).envelopes();
        assertThat(found).hasSize(Math.min(70, count - from));
        assertThat(found.getFirst().payload().number(-1)).isEqualTo(from);
        assertThat(found.getLast().payload().number(-1)).isEqualTo(from + found.size() - 1);
        assertThat(found.getLast().seq()).isEqualTo(from + found.size());
      }
      assertThat(stored.getLast().id()).endsWith("-" + count);
    }
  }

  @Test
  void aMuchOlderTimeIsReadFromTheClockAgain() {
    Iterator<Integer> seconds = List.of(10, 5, 12, 11, 11).iterator();
    InstantSource clock = () -> Instant.ofEpochSecond(seconds.next());
    try (MemoryLog log = new MemoryLog(Limits.DEFAULT, clock, Reporter.TO_LOG)) {
      for (int i = 0; i < 3; i++) {
        log.append(A, List.of(message(i)));
      }
      assertThat(log.read(A, Bookmark.START, 10).envelopes())
          .extracting(Envelope::time)
          .as("a clock that was put back is believed")
          .containsExactly(
              Instant.ofEpochSecond(10), Instant.ofEpochSecond(12), Instant.ofEpochSecond(11));
    }
  }

  @Test
  void aSlightlyOlderTimeIsRaisedToThatOfTheLineBefore() {
    Iterator<Long> micros = List.of(5_000L, 4_001L, 4_000L, 3_999L).iterator();
    InstantSource clock = () -> Timestamps.ofMicros(micros.next());
    try (MemoryLog log = new MemoryLog(Limits.DEFAULT, clock, Reporter.TO_LOG)) {
      for (int i = 0; i < 3; i++) {
        log.append(A, List.of(message(i)));
      }
      // The third time was a whole millisecond too early, so the clock was read again.
      assertThat(log.read(A, Bookmark.START, 10).envelopes())
          .extracting(Envelope::time)
          .extracting(Timestamps::micros)
          .containsExactly(5_000L, 5_000L, 3_999L);
    }
  }

  @Test
  void aBellThatIsHungLaterRingsTooAndOneTakenDownLeavesTheOthers() throws Exception {
    try (MemoryLog log = new MemoryLog();
        Doorbell first = log.doorbell(Prefix.ALL)) {
      log.append(A, List.of(message(1)));
      Doorbell second = log.doorbell(Prefix.of("a"));
      log.append(A, List.of(message(2)));
      assertThat(second.await(Duration.ofSeconds(20))).containsExactly(A);
      second.close();
      assertThat(first.await(Duration.ofSeconds(20))).containsExactly(A);

      log.append(A, List.of(message(3)));

      assertThat(first.await(Duration.ofSeconds(20))).containsExactly(A);
      assertThat(first.await(Duration.ZERO)).isEmpty();
    }
  }

  /** Seed 0.3. */
  @Nested
  class LiveSubscriptions {
    private final List<Report> reports = new ArrayList<>();
    private final MemoryLog log =
        new MemoryLog(Limits.DEFAULT, InstantSource.system(), reports::add);

    private void publish(String topic, int number) {
      log.append(new Topic(topic), List.of(Message.of("alice", "n", Json.of(number))));
    }

    private static List<Long> drain(LiveSubscription subscription) throws InterruptedException {
      List<Long> numbers = new ArrayList<>();
      for (Envelope envelope = subscription.next(Duration.ZERO);
          envelope != null;
          envelope = subscription.next(Duration.ZERO)) {
        numbers.add(envelope.payload().number(-1));
      }
      return numbers;
    }

    @Test
    void everySubscriberOfATopicGetsEveryMessage() throws Exception {
      LiveSubscription one = log.live(Prefix.of("a"));
      LiveSubscription two = log.live(Prefix.of("a.b"));
      LiveSubscription other = log.live(Prefix.of("ab"));

      publish("a.b", 1);
      publish("a", 2);

      assertThat(drain(one)).containsExactly(1L, 2L);
      assertThat(drain(two)).containsExactly(1L);
      assertThat(drain(other)).isEmpty();
    }

    @Test
    void aFullBufferOf64DropsCountsAndWarnsButNeverBlocksThePublisher() throws Exception {
      LiveSubscription slow = log.live(Prefix.ALL);

      for (int i = 0; i < 100; i++) {
        publish("a", i);
      }

      assertThat(slow.dropped()).isEqualTo(36);
      assertThat(drain(slow)).hasSize(64).startsWith(0L).endsWith(63L);
      assertThat(reports).hasSize(6).allMatch(report -> report instanceof Report.Dropped);
      assertThat(log.read(new Topic("a"), Bookmark.START, 200).envelopes())
          .as("the log itself has everything")
          .hasSize(100);
    }

    @Test
    void theBufferCanBeSet() throws Exception {
      LiveSubscription subscription = log.live(Prefix.ALL, 2);
      for (int i = 0; i < 5; i++) {
        publish("a", i);
      }
      assertThat(drain(subscription)).containsExactly(0L, 1L);
      assertThat(subscription.dropped()).isEqualTo(3);
    }

    @Test
    void unsubscribingEndsTheStreamAfterWhatWasBuffered() throws Exception {
      LiveSubscription subscription = log.live(Prefix.ALL);
      publish("a", 1);

      subscription.close();
      publish("a", 2);

      assertThat(subscription.hasEnded()).isFalse();
      assertThat(drain(subscription)).containsExactly(1L);
      assertThat(subscription.hasEnded()).isTrue();
    }

    @Test
    void closingTheLogEndsEveryStreamAndEveryWait() throws Exception {
      LiveSubscription subscription = log.live(Prefix.ALL);
      Thread closer = Thread.ofVirtual().start(log::close);

      assertThat(subscription.next(Duration.ofSeconds(20))).isNull();
      closer.join();
      assertThat(subscription.hasEnded()).isTrue();
    }
  }
}
