package dev.parley.core;

import dev.parley.core.codec.EnvelopeEncoder;
import dev.parley.core.codec.Field;
import dev.parley.core.codec.Line;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonBytes;
import dev.parley.core.memory.MemoryPage;
import dev.parley.core.time.BootClock;
import dev.parley.core.time.BootTime;
import dev.parley.core.time.Timestamps;
import dev.parley.core.writer.WriterId;
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
  private final long position;
  private final Source source;

  /** Where an envelope finds what it says: its own line, or a page in memory that it is on. */
  public interface Source {
    Topic topic();

    /** Null if it is foreign. */
    @Nullable WriterId writer();
  }

  /**
   * @param position in memory also its seq, and its number
   */
  public Envelope(long position, Source source) {
    this.position = position;
    this.source = source;
  }

  /** The topic it was read from, whatever the line itself says. */
  public Topic topic() {
    return source.topic();
  }

  public Position position() {
    return new Position(position);
  }

  public boolean isNative() {
    return writer() != null;
  }

  /** Who appended it; null if it is foreign. */
  public @Nullable WriterId writer() {
    return source.writer();
  }

  /** {@code <writer>-<n>} for native envelopes; empty if a foreign one has none. */
  public String id() {
    return source instanceof MemoryPage page
        ? page.writer().id(position)
        : line().textOrEmpty(Field.ID);
  }

  /** Counts a writer's messages in this topic from 1; 0 if a foreign line has none. */
  public long seq() {
    return source instanceof MemoryPage ? position : line().count(Field.SEQ);
  }

  /** The timestamp as it is written in the line; empty if a foreign line has none. */
  public String timestamp() {
    return source instanceof MemoryPage page
        ? Timestamps.format(Timestamps.ofMicros(page.micros(index())))
        : line().textOrEmpty(Field.TIMESTAMP);
  }

  /** The timestamp as a time; null if a foreign line has none that can be read. */
  public @Nullable Instant time() {
    return source instanceof MemoryPage page
        ? Timestamps.ofMicros(page.micros(index()))
        : Timestamps.parse(line().textOrEmpty(Field.TIMESTAMP));
  }

  public String sender() {
    return source instanceof MemoryPage page
        ? message(page).sender()
        : line().textOrEmpty(Field.SENDER);
  }

  public String type() {
    return source instanceof MemoryPage page
        ? message(page).type()
        : line().textOrEmpty(Field.TYPE);
  }

  public Json payload() {
    if (source instanceof MemoryPage page) {
      return message(page).payload();
    }
    Json payload = line().value(Field.PAYLOAD);
    return payload == null ? Json.NULL : payload;
  }

  public List<String> to() {
    if (source instanceof MemoryPage page) {
      return message(page).to();
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
    return source instanceof MemoryPage page ? message(page).thread() : line().text(Field.THREAD);
  }

  public @Nullable String replyTo() {
    return source instanceof MemoryPage page
        ? message(page).replyTo()
        : line().text(Field.REPLY_TO);
  }

  public @Nullable String priority() {
    return source instanceof MemoryPage page
        ? message(page).priority()
        : line().text(Field.PRIORITY);
  }

  public boolean needsReply() {
    return source instanceof MemoryPage page
        ? message(page).needsReply()
        : line().flag(Field.NEEDS_REPLY);
  }

  public @Nullable Instant deadline() {
    return source instanceof MemoryPage page
        ? message(page).deadline()
        : Timestamps.parse(line().textOrEmpty(Field.DEADLINE));
  }

  public @Nullable String key() {
    return source instanceof MemoryPage page ? message(page).key() : line().text(Field.KEY);
  }

  public boolean automatic() {
    return source instanceof MemoryPage page
        ? message(page).automatic()
        : line().flag(Field.AUTOMATIC);
  }

  public @Nullable String run() {
    return source instanceof MemoryPage page ? message(page).run() : line().text(Field.RUN);
  }

  public @Nullable String task() {
    return source instanceof MemoryPage page ? message(page).task() : line().text(Field.TASK);
  }

  public @Nullable String signature() {
    return source instanceof MemoryPage ? null : line().text(Field.SIGNATURE);
  }

  /** Whether it was read from a line that ends with its checksum. */
  public boolean hasSum() {
    return source instanceof Line line && line.isSummed();
  }

  /** What the {@link BootClock} said when it was appended; null if the line does not say. */
  public @Nullable BootTime clock() {
    if (source instanceof MemoryPage page) {
      return page.clock(index());
    }
    Json clock = line().value(Field.CLOCK);
    return clock == null ? null : BootTime.parse(clock.text());
  }

  /** The keys of the line that an envelope does not know by name, in their order. */
  public Map<String, Json> extra() {
    return source instanceof MemoryPage page ? message(page).extra() : line().extra();
  }

  /** The line as stored, without its newline. */
  public byte[] toLine() {
    if (!(source instanceof MemoryPage page)) {
      return line().bytes().clone();
    }
    JsonBytes out = new JsonBytes(256);
    byte[] time = Timestamps.ascii(Timestamps.ofMicros(page.micros(index())));
    new EnvelopeEncoder(page.writer(), page.topic())
        .encode(out, position, position, time, clock(), message(page));
    return out.toArray();
  }

  /** The line as stored. */
  @Override
  public String toString() {
    return new String(toLine(), StandardCharsets.UTF_8);
  }

  private int index() {
    return (int) ((position - 1) % MemoryPage.SIZE);
  }

  private Message message(MemoryPage in) {
    return in.message(index());
  }

  private Line line() {
    return (Line) source;
  }
}
