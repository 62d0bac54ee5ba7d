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
 * Encodes envelopes in exactly one form.
 *
 * <pre>
 * {"id":"k3v…q-7","seq":3,"timestamp":"2026-11-15T21:28:00.123456Z","sender":"alice",
 *  "topic":"notes","type":"note","payload":{"text":"hi"}}
 * </pre>
 *
 * on one line. Keys are in the order of {@link Field}; empty ones are left out. Unknown keys
 * follow, then the signature if the bus requires one, and last, in a file, the {@link Checksum}.
 *
 * <p>Not safe for use by several threads.
 */
public final class EnvelopeEncoder {
  /** An upper bound for everything in a line except payload and free text. */
  private static final int FRAME = 1024;

  /** The most bytes that a character of text can take. */
  private static final int LONGEST_ESCAPE = 6;

  private static final long MAX_COUNT = 999_999_999_999_999_999L;
  private static final BootTime LONGEST_CLOCK = new BootTime("z".repeat(16), BootTime.MOST);
  private static final WriterId ANY_WRITER = new WriterId(0, 0);

  private final LinePrefixWriter heading;

  /** Null in the memory log, where there are no lines that could be damaged. */
  private final @Nullable Checksum checksum;

  private @Nullable Signer signer;

  /** Computes the signatures of lines. */
  public interface Signer {
    /** The signature of a line by {@code sender} that consists of {@code line[from..to)} so far. */
    String sign(String sender, byte[] line, int from, int to);
  }

  private EnvelopeEncoder(WriterId writer, Topic topic, @Nullable Checksum checksum) {
    this.heading = new LinePrefixWriter(writer, topic);
    this.checksum = checksum;
  }

  /** Encodes the lines of one writer in one topic, without checksums. */
  public EnvelopeEncoder(WriterId writer, Topic topic) {
    this(writer, topic, null);
  }

  /** Encodes the lines of one writer in one topic, each with a checksum. */
  public static EnvelopeEncoder withSums(WriterId writer, Topic topic) {
    return new EnvelopeEncoder(writer, topic, new Checksum());
  }

  /** Signs the lines that are encoded from now on; null ends signing. */
  public void signWith(@Nullable Signer signer) {
    this.signer = signer;
  }

  /** The bytes that all lines of the writer begin with, and no line of another writer. */
  public byte[] beginning() {
    return heading.beginning();
  }

  /**
   * Appends the line without its newline.
   *
   * @param time as written by {@link Timestamps#ascii}; many lines share it
   * @param clock null to leave it out
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
   * Refuses a message whose line could exceed the limits, before it gets an id.
   *
   * @throws ParleyException naming the limit
   */
  public static void check(Limits limits, Topic topic, Message message) {
    // Most messages are short enough by a rough estimate; only the others are measured.
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
      throw ParleyException.invalid("too-deep", Json.object().put("most", limits.depth()));
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
