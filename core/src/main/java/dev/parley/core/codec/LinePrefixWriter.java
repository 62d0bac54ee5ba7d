package dev.parley.core.codec;

import dev.parley.core.Message;
import dev.parley.core.Topic;
import dev.parley.core.json.JsonBytes;
import dev.parley.core.time.Timestamps;
import dev.parley.core.writer.WriterId;
import java.nio.charset.StandardCharsets;

/**
 * Writes the prefix of a line, up to its payload, for one writer and one topic.
 *
 * <p>Successive lines have the same prefix except for the time and two counts that grow by one, so
 * copying the last prefix and patching it is faster than encoding it again.
 */
final class LinePrefixWriter {
  private static final byte[] BETWEEN_ID_AND_SEQ = ascii("\"" + key(Field.SEQ));
  private static final byte[] NONE = {};
  private static final byte[] BEFORE_TIME = ascii(key(Field.TIMESTAMP) + '"');

  private final Topic topic;
  private final byte[] beginning;

  // The prefix of the previous line, the offsets of its counts and its time, and the values in it.

  private byte[] bytes = NONE;
  private int length;
  private int numberEnd;
  private int seqEnd;
  private int timeEnd;
  private long number;
  private long seq;
  private String type = "";
  private String sender = "";

  /** The bytes between time and type, which depend on the sender only. */
  private byte[] afterTime = NONE;

  LinePrefixWriter(WriterId writer, Topic topic) {
    this.topic = topic;
    this.beginning = ascii("{\"id\":\"" + writer + '-');
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** A field's key with the comma before it. */
  private static String key(Field field) {
    return ",\"" + field.name + "\":";
  }

  /** See {@link EnvelopeEncoder#beginning}. */
  byte[] beginning() {
    return beginning.clone();
  }

  /** See {@link EnvelopeEncoder#encode}. */
  void write(JsonBytes out, long number, long seq, byte[] time, Message message) {
    boolean isNext = number == this.number + 1 && seq == this.seq + 1;
    this.number = number;
    this.seq = seq;
    if (isNext && isLike(message) && countOn(numberEnd) && countOn(seqEnd)) {
      System.arraycopy(time, 0, bytes, timeEnd - Timestamps.LENGTH, Timestamps.LENGTH);
      out.raw(bytes, 0, length);
    } else {
      writeAnew(out, time, message);
    }
  }

  private boolean isLike(Message message) {
    return message.type().equals(type) && message.sender().equals(sender);
  }

  /** Adds 1 to the digits before {@code end}; false if another digit would be needed. */
  private boolean countOn(int end) {
    int i = end - 1;
    while (bytes[i] == '9') {
      bytes[i--] = '0';
    }
    boolean isDigit = bytes[i] >= '0' && bytes[i] < '9';
    bytes[i]++;
    return isDigit;
  }

  private void writeAnew(JsonBytes out, byte[] time, Message message) {
    type = ""; // if encoding fails below, no later line matches this one
    int from = out.length();
    numberEnd = out.raw(beginning).number(number).length() - from;
    seqEnd = out.raw(BETWEEN_ID_AND_SEQ).number(seq).length() - from;
    timeEnd = out.raw(BEFORE_TIME).raw(time).length() - from;
    out.raw(afterTime(message.sender()));
    out.string(message.type()).raw(Field.PAYLOAD.prefix);
    length = out.length() - from;
    if (length > bytes.length) {
      bytes = new byte[2 * length];
    }
    System.arraycopy(out.array(), from, bytes, 0, length);
    type = message.type();
  }

  private byte[] afterTime(String from) {
    if (!from.equals(sender)) {
      String senderAndTopic =
          key(Field.SENDER) + '"' + from + '"' + key(Field.TOPIC) + '"' + topic.name() + '"';
      afterTime = ascii('"' + senderAndTopic + key(Field.TYPE));
      sender = from;
    }
    return afterTime;
  }
}
