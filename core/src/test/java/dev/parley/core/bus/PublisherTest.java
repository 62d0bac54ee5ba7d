package dev.parley.core.bus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.ForwardingLog;
import dev.parley.core.Message;
import dev.parley.core.Reporter;
import dev.parley.core.Stored;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.core.memory.MemoryLog;
import dev.parley.core.store.Cursors;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class PublisherTest {
  private static final Topic TOPIC = new Topic("a");

  /** A log whose first append blocks until the test releases it. */
  private static final class SlowLog extends ForwardingLog {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch letGo = new CountDownLatch(1);

    SlowLog() {
      super(new MemoryLog());
    }

    @Override
    public List<Stored> append(Topic topic, List<Message> messages) {
      begun.countDown();
      try {
        letGo.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      return super.append(topic, messages);
    }
  }

  @Test
  void asManyMessagesPileUpAsTheBusWasToldAndThenCallersWait() throws Exception {
    int most = 3;
    SlowLog log = new SlowLog();
    List<CompletableFuture<Stored>> answers = new ArrayList<>();
    try (Bus bus = new Bus(log, Cursors.inMemory(), Reporter.TO_LOG, most)) {
      answers.add(publish(bus, 0));
      log.begun.await();
      for (int i = 1; i <= most; i++) {
        answers.add(publish(bus, i));
      }
      Thread next = Thread.ofPlatform().start(() -> answers.add(publish(bus, most + 1)));
      Awaitility.await().until(() -> next.getState() == Thread.State.WAITING);
      assertThat(answers).hasSize(1 + most).noneMatch(CompletableFuture::isDone);

      log.letGo.countDown();
      next.join();
    }
    assertThat(answers)
        .extracting(answer -> answer.join().seq())
        .containsExactly(1L, 2L, 3L, 4L, 5L);
  }

  /** The callback runs on the thread that must make room in the queue. */
  @Test
  void aPublisherInACallbackDoesNotWaitThoughManyArePending() throws Exception {
    SlowLog log = new SlowLog();
    try (Bus bus = new Bus(log, Cursors.inMemory(), Reporter.TO_LOG, 1)) {
      CompletableFuture<Stored> next =
          publish(bus, 0).thenCompose(stored -> publish(bus, 2)).thenCompose(s -> publish(bus, 3));
      log.begun.await();
      CompletableFuture<Stored> pending = publish(bus, 1);
      log.letGo.countDown();

      assertThat(next.get(10, TimeUnit.SECONDS).seq()).isEqualTo(4);
      assertThat(pending.join().seq()).isEqualTo(2);
    }
  }

  private static CompletableFuture<Stored> publish(Bus bus, int number) {
    return bus.publishAsync(TOPIC, Message.of("alice", "n", Json.of(number)));
  }
}
