package dev.parley.core.codec;

import dev.parley.core.Limits;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonBytes;
import dev.parley.core.time.BootTime;
import dev.parley.core.time.Timestamps;
import dev.parley.core.writer.WriterId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes envelopes: strictly, in one way only.
 *
 * <pre>
 * {"id":"k3v…q-7","seq":3,"timestamp":"2026-11-15T21:28:00.123456Z","sender":"alice",
 *  "topic":"notes","type":"note","payload":{"text":"hi"}}
 * </pre>
 *
 * on one line, keys in the order of {@link Field}, absent when empty, then unknown keys, and last,
 * in a file, the signature where the bus requires one, and the {@link Checksum}.
 *
 * <p>Not safe for use by several threads.
 */
public final class EnvelopeEncoder {
  /** More than everything in a line that is neither payload nor free text. */
  private static final int FRAME = 1024;

  /** How many bytes a character of text can take at most. */
  private static final int LONGEST_ESCAPE = 6;

  private static final long MAX_COUNT = 999_999_999_999_999_999L;
  private static final BootTime LONGEST_CLOCK = new BootTime("z".repeat(16), BootTime.MOST);
  private static final WriterId ANY_WRITER = new WriterId(0, 0);

  private final LinePrefixWriter heading;

  /** Null where there are no lines, and so none that could be damaged. */
  private final @Nullable Checksum checksum;

  private @Nullable Signer signer;

  /** Signs lines. */
  public interface Signer {
    /** The signature of a line by {@code sender}, of which {@code line[from..to)} is there. */
    String sign(String sender, byte[] line, int from, int to);
  }

  private EnvelopeEncoder(WriterId writer, Topic topic, @Nullable Checksum checksum) {
    this.heading = new LinePrefixWriter(writer, topic);
    this.checksum = checksum;
  }

  /** For the lines of one writer in one topic, without sums. */
  public EnvelopeEncoder(WriterId writer, Topic topic) {
    this(writer, topic, null);
  }

  /** For the lines of one writer in one topic, each with its sum. */
  public static EnvelopeEncoder withSums(WriterId writer, Topic topic) {
    return new EnvelopeEncoder(writer, topic, new Checksum());
  }

  /** Has the lines signed that are encoded from now on; null: not any more. */
  public void signWith(@Nullable Signer signer) {
    this.signer = signer;
  }

  /** How all lines of the writer begin, and those of no other. */
  public byte[] beginning() {
    return heading.beginning();
  }

  /**
   * Appends the line without its newline.
   *
   * @param time as {@link Timestamps#ascii} writes it: many lines have the same
   * @param clock null if it is not to be said
   */
  public void encode(
      JsonBytes out,
      long number,
      long seq,
      byte[] time,
      @Nullable BootTime clock,
      Message message) {
    int from = out.length();
    heading.write(out, number, seq, time, message);
    message.payload().writeTo(out);
    options(out, message);
    text(out, Field.CLOCK, clock == null ? null : clock.toString());
    extra(out, message);
    if (signer != null) {
      String signature = signer.sign(message.sender(), out.array(), from, out.length());
      text(out, Field.SIGNATURE, signature);
    }
    if (checksum == null) {
      out.raw('}');
    } else {
      checksum.end(out, from);
    }
  }

  private static void options(JsonBytes out, Message message) {
    names(out, message.to());
    text(out, Field.THREAD, message.thread());
    text(out, Field.REPLY_TO, message.replyTo());
    text(out, Field.PRIORITY, message.priority());
    flag(out, Field.NEEDS_REPLY, message.needsReply());
    Instant deadline = message.deadline();
    text(out, Field.DEADLINE, deadline == null ? null : Timestamps.format(deadline));
    text(out, Field.KEY, message.key());
    flag(out, Field.AUTOMATIC, message.automatic());
    text(out, Field.RUN, message.run());
    text(out, Field.TASK, message.task());
  }

  private static void extra(JsonBytes out, Message message) {
    message
        .extra()
        .forEach((name, value) -> {
          out.raw(',').string(name).raw(':');
          value.writeTo(out);
        });
  }

  /**
   * Refuses a message whose line could break the limits, before it has an id.
   *
   * @throws ParleyException naming the limit
   */
  public static void check(Limits limits, Topic topic, Message message) {
    // Most messages are settled by their length; only what could be too long is measured.
    if (longest(message) > limits.line()) {
      JsonBytes line = new JsonBytes(1024);
      byte[] time = Timestamps.ascii(Instant.EPOCH);
      withSums(ANY_WRITER, topic)
          .encode(
              line,
              MAX_COUNT,
              MAX_COUNT,
              time,
              message.isClocked() ? LONGEST_CLOCK : null,
              message);
      if (line.length() > limits.line()) {
        throw limits.tooLong(line.length());
      }
    }
    checkDepth(limits, message.payload());
    if (!message.isPlain() && !message.extra().isEmpty()) {
      message.extra().values().forEach(value -> checkDepth(limits, value));
    }
  }

  private static long longest(Message message) {
    long text = message.type().length();
    if (message.isPlain()) {
      return FRAME + message.payload().length() + LONGEST_ESCAPE * text;
    }
    for (String name : message.to()) {
      text += name.length() + 3L;
    }
    text += length(message.thread()) + length(message.replyTo()) + length(message.priority());
    text += length(message.key()) + length(message.run()) + length(message.task());
    if (!message.extra().isEmpty()) {
      for (Map.Entry<String, Json> extra : message.extra().entrySet()) {
        text += extra.getKey().length() + extra.getValue().length() + 4L;
      }
    }
    return FRAME + message.payload().length() + LONGEST_ESCAPE * text;
  }

  private static int length(@Nullable String text) {
    return text == null ? 0 : text.length();
  }

  private static void checkDepth(Limits limits, Json value) {
    if (value.isDeeperThan(limits.depth() - 1)) {
      throw ParleyException.invalid(
          "too-deep",
          "The payload is nested too deep; this bus takes "
              + limits.depth()
              + " levels (maxDepth).",
          "Send a flatter value, or the content as text.");
    }
  }

  private static void text(JsonBytes out, Field field, @Nullable String text) {
    if (text != null && !text.isEmpty()) {
      out.raw(field.prefix).string(text);
    }
  }

  private static void flag(JsonBytes out, Field field, boolean value) {
    if (value) {
      out.raw(field.prefix).ascii("true");
    }
  }

  private static void names(JsonBytes out, List<String> names) {
    if (!names.isEmpty()) {
      out.raw(Field.TO.prefix);
      Json.ofStrings(names).writeTo(out);
    }
  }
}
