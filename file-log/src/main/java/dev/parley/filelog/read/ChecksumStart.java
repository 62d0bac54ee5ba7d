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
 * Knows whether a topic has a line with a checksum before a place. From the first such line on a
 * native line without one is damage; before it, it was written by an earlier version.
 *
 * <p>That is a function of the topic's content, so readers agree wherever they begin. It is asked
 * only when a native line without a sum is met, and answered by the first line of a topic that was
 * begun by this version. In an older topic the answer takes a search from the start, once: whoever
 * reads on from the start knows it without.
 *
 * <p>Can be used by any thread.
 */
final class ChecksumStart {
  private static final int NONE = -1;

  private final Topic topic;
  private final Limits limits;
  private volatile Known known = new Known(new Object(), 0, NONE);

  /**
   * What is known of a file.
   *
   * @param noneBefore no line that ends at or before this place has a sum
   * @param first where the first line with a sum begins
   */
  private record Known(Object file, long noneBefore, long first) {}

  ChecksumStart(Topic topic, Limits limits) {
    this.topic = topic;
    this.limits = limits;
  }

  /** Whether a line with a sum ends at or before the place, which is the end of a line. */
  boolean isBefore(Disk.Reader file, long place) throws IOException {
    Known now = of(file);
    if (now.first != NONE) {
      long end = endIfSummed(file, now.first);
      if (end != NONE) {
        return end <= place;
      }
      now = new Known(file.key(), 0, NONE); // the file was written anew
    }
    if (place <= now.noneBefore) {
      return false;
    }
    long first = search(file, now.noneBefore, place);
    known = new Known(file.key(), first == NONE ? place : 0, first);
    return first != NONE;
  }

  /** Takes note that no line between two places has a sum. */
  void noneBetween(Disk.Reader file, long from, long to) {
    Known now = of(file);
    if (now.first == NONE && from <= now.noneBefore && to > now.noneBefore) {
      known = new Known(file.key(), to, NONE);
    }
  }

  /** Forgets everything: the file is not the one it was. */
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
        lines.pass(start);
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
