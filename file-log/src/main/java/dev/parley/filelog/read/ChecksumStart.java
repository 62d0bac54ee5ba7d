package dev.parley.filelog.read;

import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.Position;
import dev.parley.core.Topic;
import dev.parley.core.codec.EnvelopeDecoder;
import dev.parley.core.json.JsonException;
import dev.parley.filelog.disk.Disk;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether a topic has a line with a checksum before a place. After the first such line, a
 * native line without a checksum is damage; before it, an earlier version wrote the line.
 *
 * <p>The answer depends on the topic's content alone, so all readers agree. It is needed only for
 * native lines without a checksum. In a topic that this version began, the first line answers it.
 * An older topic is searched from the start once, unless the reader has read it from the start
 * anyway.
 *
 * <p>Safe for use by several threads.
 */
final class ChecksumStart {
  private static final int NONE = -1;

  private final Topic topic;
  private final Limits limits;
  private volatile Known known = new Known(new Object(), 0, NONE);

  /**
   * What is known about a file.
   *
   * @param noneBefore no line that ends at or before this place has a checksum
   * @param first the start of the first line with a checksum
   */
  private record Known(Object file, long noneBefore, long first) {}

  ChecksumStart(Topic topic, Limits limits) {
    this.topic = topic;
    this.limits = limits;
  }

  /** Whether a line with a checksum ends at or before a place, which must be the end of a line. */
  boolean isBefore(Disk.Reader file, long place) throws IOException {
    Known now = of(file);
    if (now.first != NONE) {
      long end = endIfSummed(file, now.first);
      if (end != NONE) {
        return end <= place;
      }
      now = new Known(file.key(), 0, NONE); // the file was rewritten
    }
    if (place <= now.noneBefore) {
      return false;
    }
    long first = search(file, now.noneBefore, place);
    known = new Known(file.key(), first == NONE ? place : 0, first);
    return first != NONE;
  }

  /** Records that no line between two places has a checksum. */
  void noneBetween(Disk.Reader file, long from, long to) {
    Known now = of(file);
    if (now.first == NONE && from <= now.noneBefore && to > now.noneBefore) {
      known = new Known(file.key(), to, NONE);
    }
  }

  /** Forgets everything, because the file was replaced. */
  void forget() {
    known = new Known(new Object(), 0, NONE);
  }

  private Known of(Disk.Reader file) {
    Known now = known;
    return now.file.equals(file.key()) ? now : new Known(file.key(), 0, NONE);
  }

  private long endIfSummed(Disk.Reader file, long from) throws IOException {
    LineScanner lines = new LineScanner(file, from, file.size(), limits.line());
    return lines.next() && isSummed(new EnvelopeDecoder(limits), lines) ? lines.end() : NONE;
  }

  private long search(Disk.Reader file, long from, long to) throws IOException {
    EnvelopeDecoder decoder = new EnvelopeDecoder(limits);
    LineScanner lines = new LineScanner(file, from, to, limits.line());
    long start = from;
    while (true) {
      Envelope usual =
          decoder.decodeNext(topic, lines.array(), lines.nextFrom(), lines.filled(), start);
      if (usual != null) {
        if (usual.hasSum()) {
          return start;
        }
        start = usual.position().value();
        lines.skip(start);
      } else if (!lines.next()) {
        return NONE;
      } else if (isSummed(decoder, lines)) {
        return start;
      } else {
        start = lines.end();
      }
    }
  }

  private boolean isSummed(EnvelopeDecoder decoder, LineScanner lines) {
    Envelope envelope = decoded(decoder, lines);
    return envelope != null && envelope.hasSum();
  }

  private @Nullable Envelope decoded(EnvelopeDecoder decoder, LineScanner lines) {
    if (lines.isTooLong() || lines.length() == 0) {
      return null;
    }
    try {
      Position end = new Position(lines.end());
      return decoder.decode(topic, lines.array(), lines.from(), lines.to(), end);
    } catch (JsonException e) {
      return null;
    }
  }
}
