package dev.parley.core;

import dev.parley.core.json.Json;
import dev.parley.core.json.JsonBytes;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One line of a topic: who said what, when, to whom. Immutable.
 *
 * <p>An envelope read from a log keeps the line as it was stored and looks into it only when asked,
 * so passing over envelopes is cheap and a foreign line loses nothing. One that was just stored in
 * memory keeps its message, and becomes a line only when someone wants one.
 *
 * <p>A <i>native</i> envelope was written by Parley: its id is a {@link WriterId} and a number, and
 * it has seq and timestamp. Anything else that is a JSON object with a type is <i>foreign</i>: it
 * is delivered, but decides nothing.
 */
public final class Envelope {
  private final Topic topic;
  private final Position position;
  private final @Nullable WriterId writer;
  private final @Nullable Line line;
  private final @Nullable Fresh fresh;

  /** What a log adds to a message. */
  record Fresh(WriterId writer, long number, long seq, Instant time, Message message) {
    String id() {
      return writer.id(number);
    }
  }

  Envelope(Topic topic, Position position, @Nullable WriterId writer, Line line) {
    this.topic = topic;
    this.position = position;
    this.writer = writer;
    this.line = line;
    this.fresh = null;
  }

  Envelope(Topic topic, Position position, Fresh fresh) {
    this.topic = topic;
    this.position = position;
    this.writer = fresh.writer;
    this.line = null;
    this.fresh = fresh;
  }

  /** The topic it was read from, whatever the line itself says. */
  public Topic topic() {
    return topic;
  }

  public Position position() {
    return position;
  }

  public boolean isNative() {
    return writer != null;
  }

  /** Who appended it; null if it is foreign. */
  public @Nullable WriterId writer() {
    return writer;
  }

  /** {@code <writer>-<n>} for native envelopes; empty if a foreign one has none. */
  public String id() {
    return fresh != null ? fresh.id() : line().textOrEmpty(Field.ID);
  }

  /** Counts a writer's messages in this topic from 1; 0 if a foreign line has none. */
  public long seq() {
    return fresh != null ? fresh.seq : line().count(Field.SEQ);
  }

  /** The timestamp as it is written in the line; empty if a foreign line has none. */
  public String timestamp() {
    return fresh != null ? Timestamps.format(fresh.time) : line().textOrEmpty(Field.TIMESTAMP);
  }

  /** The timestamp as a time; null if a foreign line has none that can be read. */
  public @Nullable Instant time() {
    return fresh != null ? fresh.time : Timestamps.parse(line().textOrEmpty(Field.TIMESTAMP));
  }

  public String sender() {
    return fresh != null ? fresh.message.sender() : line().textOrEmpty(Field.SENDER);
  }

  public String type() {
    return fresh != null ? fresh.message.type() : line().textOrEmpty(Field.TYPE);
  }

  public Json payload() {
    if (fresh != null) {
      return fresh.message.payload();
    }
    Json payload = line().value(Field.PAYLOAD);
    return payload == null ? Json.NULL : payload;
  }

  public List<String> to() {
    if (fresh != null) {
      return fresh.message.to();
    }
    Json to = line().value(Field.TO);
    if (to == null) {
      return List.of();
    }
    String one = to.text();
    return one != null
        ? List.of(one)
        : to.items().stream().map(Json::text).filter(Objects::nonNull).toList();
  }

  public @Nullable String thread() {
    return fresh != null ? fresh.message.thread() : line().text(Field.THREAD);
  }

  public @Nullable String replyTo() {
    return fresh != null ? fresh.message.replyTo() : line().text(Field.REPLY_TO);
  }

  public @Nullable String priority() {
    return fresh != null ? fresh.message.priority() : line().text(Field.PRIORITY);
  }

  public boolean needsReply() {
    return fresh != null ? fresh.message.needsReply() : line().flag(Field.NEEDS_REPLY);
  }

  public @Nullable Instant deadline() {
    return fresh != null
        ? fresh.message.deadline()
        : Timestamps.parse(line().textOrEmpty(Field.DEADLINE));
  }

  public @Nullable String key() {
    return fresh != null ? fresh.message.key() : line().text(Field.KEY);
  }

  public boolean automatic() {
    return fresh != null ? fresh.message.automatic() : line().flag(Field.AUTOMATIC);
  }

  public @Nullable String run() {
    return fresh != null ? fresh.message.run() : line().text(Field.RUN);
  }

  public @Nullable String task() {
    return fresh != null ? fresh.message.task() : line().text(Field.TASK);
  }

  public @Nullable String signature() {
    return fresh != null ? null : line().text(Field.SIGNATURE);
  }

  /** The keys of the line that an envelope does not know by name, in their order. */
  public Map<String, Json> extra() {
    return fresh != null ? fresh.message.extra() : line().extra();
  }

  /** The line as stored, without its newline. */
  public byte[] toLine() {
    if (fresh == null) {
      return line().bytes().clone();
    }
    JsonBytes out = new JsonBytes(256);
    byte[] time = Timestamps.ascii(fresh.time);
    EnvelopeEncoder.encode(out, fresh.writer, fresh.number, fresh.seq, time, topic, fresh.message);
    return out.toArray();
  }

  /** The line as stored. */
  @Override
  public String toString() {
    return new String(toLine(), StandardCharsets.UTF_8);
  }

  private Line line() {
    if (line == null) {
      throw new IllegalStateException("a fresh envelope has no line yet");
    }
    return line;
  }
}
