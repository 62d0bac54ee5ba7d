package dev.parley.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.json.Json;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
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
