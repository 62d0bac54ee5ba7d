package dev.parley.core.memory;

import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.core.time.BootTime;
import dev.parley.core.time.Timestamps;
import dev.parley.core.writer.WriterId;
import org.jspecify.annotations.Nullable;

/**
 * A few envelopes of a topic in memory, in columns. Not one object stays for an envelope, so a
 * collector that has to move a long history moves a few arrays.
 */
public final class MemoryPage implements Envelope.Source {
  /** How many envelopes a page holds: few, as most topics are short. */
  public static final int SIZE = 64;

  private final Topic topic;
  private final WriterId writer;

  private final long[] micros = new long[SIZE];

  /** Of each envelope: its sender, its type, its payload and its options. */
  private final Object[] parts = new Object[4 * SIZE];

  /** Of those that say it; made when the first does. */
  private BootTime @Nullable [] clocks;

  MemoryPage(Topic topic, WriterId writer) {
    this.topic = topic;
    this.writer = writer;
  }

  void put(int index, long time, @Nullable BootTime clock, Message message) {
    micros[index] = time;
    parts[4 * index] = message.sender();
    parts[4 * index + 1] = message.type();
    parts[4 * index + 2] = message.payload();
    parts[4 * index + 3] = message.options();
    if (clock != null) {
      if (clocks == null) {
        clocks = new BootTime[SIZE];
      }
      clocks[index] = clock;
    }
  }

  public @Nullable BootTime clock(int index) {
    BootTime[] said = clocks;
    return said == null ? null : said[index];
  }

  @Override
  public Topic topic() {
    return topic;
  }

  @Override
  public WriterId writer() {
    return writer;
  }

  /** See {@link Timestamps#micros}. */
  public long micros(int index) {
    return micros[index];
  }

  public Message message(int index) {
    return new Message(
        (String) parts[4 * index],
        (String) parts[4 * index + 1],
        (Json) parts[4 * index + 2],
        (Message.Options) parts[4 * index + 3]);
  }
}
