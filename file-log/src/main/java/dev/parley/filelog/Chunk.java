package dev.parley.filelog;

import dev.parley.core.EnvelopeEncoder;
import dev.parley.core.Message;
import dev.parley.core.Position;
import dev.parley.core.Stored;
import dev.parley.core.Topic;
import dev.parley.core.json.JsonBytes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Lines of one writer on their way into a topic: encoded, in order, and once they are there, with
 * their positions.
 *
 * <pre>
 * \n line \n line \n line \n
 * │  └ from(0)       └ from(2)
 * └ written only when a fragment of someone else could stand before
 * </pre>
 */
final class Chunk {
  private record Line(String id, long seq, int from, int to) {}

  private final Topic topic;

  /** A larger buffer is given back after use. */
  private static final int KEPT = 1 << 20;

  private JsonBytes bytes = new JsonBytes(512);
  private final List<Line> lines = new ArrayList<>();
  private final List<Stored> stored = new ArrayList<>();

  Chunk(Topic topic) {
    this.topic = topic;
    bytes.raw('\n');
  }

  /** Makes it empty, to be used again. */
  void clear() {
    if (bytes.array().length > KEPT) {
      bytes = new JsonBytes(512);
      bytes.raw('\n');
    }
    bytes.truncate(1);
    lines.clear();
    stored.clear();
  }

  /** Encodes one more message. */
  void add(String id, long seq, Instant time, Message message) {
    int from = bytes.length();
    EnvelopeEncoder.encode(bytes, id, seq, time, topic, message);
    lines.add(new Line(id, seq, from, bytes.length()));
    bytes.raw('\n');
  }

  /** Takes the lines from {@code size} on back. */
  void truncate(int size) {
    if (size < lines.size()) {
      bytes.truncate(lines.get(size).from);
      lines.subList(size, lines.size()).clear();
    }
  }

  int size() {
    return lines.size();
  }

  int byteCount() {
    return bytes.length();
  }

  byte[] array() {
    return bytes.array();
  }

  int from(int line) {
    return lines.get(line).from;
  }

  /** Where a line ends, its newline included. */
  int end(int line) {
    return lines.get(line).to + 1;
  }

  /** Whether {@code other[from..to)}, without newline, is this line. */
  boolean isLine(int line, byte[] other, int from, int to) {
    Line own = lines.get(line);
    return to - from == own.to - own.from
        && Arrays.equals(bytes.array(), own.from, own.to, other, from, to);
  }

  /** Whether {@code other[from..to)} is something else with this line glued to its end. */
  boolean isGlued(int line, byte[] other, int from, int to) {
    Line own = lines.get(line);
    int length = own.to - own.from;
    return to - from > length
        && Arrays.equals(bytes.array(), own.from, own.to, other, to - length, to);
  }

  /** Takes note that the next line ends at {@code position}. */
  void found(long position) {
    Line line = lines.get(stored.size());
    stored.add(new Stored(topic, line.id, line.seq, new Position(position)));
  }

  /** What was found was in a file that is not the topic any more. */
  void forgetStored() {
    stored.clear();
  }

  /** How many lines, from the first on, are known to be in the topic. */
  int storedCount() {
    return stored.size();
  }

  boolean isStored() {
    return stored.size() == lines.size();
  }

  /** The answers for some of the lines, as far as they are stored. */
  List<Stored> stored(int from, int to) {
    return List.copyOf(stored.subList(Math.min(from, stored.size()), Math.min(to, stored.size())));
  }
}
