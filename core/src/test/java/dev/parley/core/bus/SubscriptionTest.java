package dev.parley.core.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.core.Bookmark;
import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Prefix;
import dev.parley.core.Report;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.core.memory.MemoryLog;
import dev.parley.core.store.Cursors;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class SubscriptionTest {
  private static final Topic TOPIC = new Topic("a");

  /** Cursors on a disk that may be full. */
  private static final class FullCursors implements Cursors {
    private final Cursors cursors = Cursors.inMemory();
    private volatile boolean isFull;

    @Override
    public Map<Topic, Bookmark> load(String name) {
      return cursors.load(name);
    }

    @Override
    public void save(String name, Map<Topic, Bookmark> places) {
      if (isFull) {
        throw new ParleyException(
            ParleyException.Kind.FAILED, "disk-full", "The disk is full.", "Make room.");
      }
      cursors.save(name, places);
    }
  }

  @Test
  void aSubscriptionWhoseCursorCannotBeSavedGoesOnAndSavesItLater() {
    FullCursors cursors = new FullCursors();
    List<Report> reports = new CopyOnWriteArrayList<>();
    List<Envelope> heard = new CopyOnWriteArrayList<>();
    try (Bus bus = new Bus(new MemoryLog(), cursors, reports::add)) {
      Subscription subscription =
          bus.subscribe(Prefix.ALL, FeedStart.cursor("c"), heard::add, OnFailure.GO_ON);
      cursors.isFull = true;
      publish(bus);
      await().until(() -> !reports.isEmpty());
      assertThat(reports).singleElement().isInstanceOf(Report.Retried.class);
      assertThat(cursors.load("c")).isEmpty();

      cursors.isFull = false;
      publish(bus);

      await().until(() -> cursors.load("c").containsKey(TOPIC));
      await().until(() -> cursors.load("c").get(TOPIC).equals(bus.log().end(TOPIC)));
      assertThat(heard).hasSize(2);
      assertThat(subscription.hasEnded()).isFalse();
    }
  }

  private static void publish(Bus bus) {
    var _ = bus.publish(TOPIC, Message.of("alice", "n", Json.of(1)));
  }
}
