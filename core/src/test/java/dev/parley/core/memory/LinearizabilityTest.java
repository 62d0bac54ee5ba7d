package dev.parley.core.memory;

import dev.parley.core.Bookmark;
import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.Prefix;
import dev.parley.core.Seed;
import dev.parley.core.Topic;
import dev.parley.core.bus.LiveSubscription;
import dev.parley.core.bus.LocalDoorbell;
import dev.parley.core.json.Json;
import dev.parley.core.writer.WriterId;
import java.time.Duration;
import java.util.List;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/**
 * Shared objects are linearizable: Lincheck runs operations of several threads in many
 * interleavings and searches for a sequential order that explains the answers.
 */
class LinearizabilityTest {
  private static ModelCheckingOptions options() {
    return new ModelCheckingOptions()
        .iterations(Seed.isLong() ? 30 : 3)
        .invocationsPerIteration(Seed.isLong() ? 500 : 100)
        .threads(2)
        .actorsPerThread(3);
  }

  /** Seed 0.3: bounded, drops and counts. */
  public static final class Live {
    private final LiveSubscription live =
        new LiveSubscription(Prefix.ALL, 2, report -> {}, closed -> {});

    @Operation
    public void offer(int number) {
      Topic name = new Topic("t");
      MemoryTopic topic =
          new MemoryTopic(
              name, new WriterId(1, 1), new LocalDoorbell.DoorbellRegistry().notifier(name));
      live.offer(topic.at(topic.add(0, null, Message.of("a", "n", Json.of(number)))));
    }

    @Operation
    public long next() throws InterruptedException {
      Envelope envelope = live.next(Duration.ZERO);
      return envelope == null ? Long.MIN_VALUE : envelope.payload().number(0);
    }

    @Operation
    public long dropped() {
      return live.dropped();
    }

    @Operation
    public void close() {
      live.close();
    }

    @Operation
    public boolean hasEnded() {
      return live.hasEnded();
    }
  }

  @Test
  void aLiveSubscriptionIsLinearizable() {
    options().check(Live.class);
  }

  /** A bell that rang before a wait ends it at once; each ring is answered once. */
  public static final class Ringing {
    private final LocalDoorbell.DoorbellRegistry registry = new LocalDoorbell.DoorbellRegistry();
    private final LocalDoorbell bell = registry.add(Prefix.ALL);

    @Operation
    public void ringA() {
      registry.ring(new Topic("a"));
    }

    @Operation
    public void ringB() {
      registry.ring(new Topic("b"));
    }

    @Operation
    public List<String> await() throws InterruptedException {
      return bell.await(Duration.ZERO).stream().map(Topic::name).sorted().toList();
    }
  }

  @Test
  void aBellIsLinearizable() {
    options().check(Ringing.class);
  }

  /** Positions and counts of a topic in memory, appended to and read by several threads. */
  public static final class InMemory {
    private static final Topic TOPIC = new Topic("t");
    private final MemoryLog log = new MemoryLog();

    @Operation
    public long append(int number) {
      return log.append(TOPIC, Message.of("a", "n", Json.of(number))).seq();
    }

    @Operation
    public long appendInAList(int number) {
      return log.append(TOPIC, List.of(Message.of("a", "n", Json.of(number)))).getFirst().seq();
    }

    @Operation
    public List<Long> read() {
      return log.read(TOPIC, Bookmark.START, 10).envelopes().stream()
          .map(envelope -> envelope.payload().number(0))
          .toList();
    }

    @Operation
    public long end() {
      return log.end(TOPIC).position().value();
    }
  }

  @Test
  void aMemoryLogIsLinearizable() {
    options().check(InMemory.class);
  }
}
