package dev.parley.core.keys;

import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.Message;
import dev.parley.core.Position;
import dev.parley.core.Topic;
import dev.parley.core.codec.EnvelopeDecoder;
import dev.parley.core.codec.EnvelopeEncoder;
import dev.parley.core.json.JsonBytes;
import dev.parley.core.json.JsonException;
import dev.parley.core.time.Timestamps;
import dev.parley.core.writer.WriterId;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A topic in a byte array. Its lines are signed as a log signs them. */
final class SignedTopic {
  private final Topic topic;
  private final EnvelopeEncoder encoder;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private long count;
  private String incarnation = "";

  SignedTopic(Topic topic) {
    this.topic = topic;
    this.encoder = EnvelopeEncoder.withSums(WriterId.random(), topic);
  }

  long size() {
    return bytes.size();
  }

  String incarnation() {
    return incarnation;
  }

  /** Appends a message; unsigned if there is no key. */
  Envelope append(@Nullable KeyPair key, Message message) {
    byte[] line = line(key, size(), message);
    return append(line);
  }

  /** A line signed for a position. */
  byte[] line(@Nullable KeyPair key, long place, Message message) {
    JsonBytes out = new JsonBytes(512);
    encoder.signWith(
        key == null
            ? null
            : (sender, line, from, to) ->
                LineSignature.sign(key, topic, incarnation, place, line, from, to));
    count++;
    encoder.encode(out, count, count, Timestamps.ascii(Instant.EPOCH), null, message);
    return out.toArray();
  }

  Envelope append(byte[] line) {
    long end = size() + line.length + 1;
    Envelope envelope;
    try {
      envelope =
          new EnvelopeDecoder(Limits.DEFAULT)
              .decode(topic, line, 0, line.length, new Position(end));
    } catch (JsonException e) {
      throw new IllegalArgumentException(e);
    }
    bytes.writeBytes(line);
    bytes.write('\n');
    if (incarnation.isEmpty()) {
      incarnation = envelope.id();
    }
    return envelope;
  }

  /** The envelope that these bytes would be in the place of a line of this topic. */
  Envelope inPlaceOf(Envelope line, byte[] other) throws JsonException {
    long start = line.position().value() - line.toLine().length - 1;
    Position end = new Position(start + other.length + 1);
    return new EnvelopeDecoder(Limits.DEFAULT).decode(topic, other, 0, other.length, end);
  }
}
