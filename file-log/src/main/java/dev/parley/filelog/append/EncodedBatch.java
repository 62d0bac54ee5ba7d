package dev.parley.filelog.append;

import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.Message;
import dev.parley.core.Position;
import dev.parley.core.Stored;
import dev.parley.core.Topic;
import dev.parley.core.codec.EnvelopeDecoder;
import dev.parley.core.codec.EnvelopeEncoder;
import dev.parley.core.json.JsonBytes;
import dev.parley.core.json.JsonException;
import dev.parley.core.time.BootClock;
import dev.parley.core.time.BootTime;
import dev.parley.core.writer.WriterId;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A batch of encoded lines of one writer, in order; once they are stored, with their positions.
 *
 * <pre>
 * \n line \n line \n line \n
 * │  └ from(0)       └ from(2)
 * └ written only when a fragment of someone else could stand before
 * </pre>
 */
final class EncodedBatch {
  /** A larger buffer is released after use. */
  private static final int KEPT = 1 << 20;

  private static final @Nullable Stored[] NONE = {};

  private final Topic topic;
  private final WriterId writer;
  private final EnvelopeEncoder encoder;
  private final byte[] beginning;
  private JsonBytes bytes = new JsonBytes(512);
  private int size;
  private int storedCount;
  private long firstSeq;

  /** Of each line: its number, where it ends in the bytes, and where it was found in the topic. */
  private long[] numbers = new long[8];

  private int[] ends = new int[8];
  private long[] positions = new long[8];

  /** Of each line that was stored again under another id: that one. */
  private @Nullable Stored[] elsewhere = NONE;

  EncodedBatch(Topic topic, WriterId writer) {
    this.topic = topic;
    this.writer = writer;
    this.encoder = EnvelopeEncoder.withSums(writer, topic);
    this.beginning = encoder.beginning();
    bytes.raw('\n');
  }

  /** Makes it empty, to be used again. */
  void clear(long firstSeq) {
    if (bytes.array().length > KEPT) {
      bytes = new JsonBytes(512);
      bytes.raw('\n');
    }
    bytes.truncate(1);
    size = 0;
    storedCount = 0;
    elsewhere = NONE;
    this.firstSeq = firstSeq;
  }

  /** Has the lines signed that are added from now on; null: not signed. */
  void signWith(EnvelopeEncoder.@Nullable Signer signer) {
    encoder.signWith(signer);
  }

  /** A stored line as its readers see it. */
  Envelope envelope(int line) {
    try {
      return new EnvelopeDecoder(Limits.DEFAULT)
          .decode(topic, bytes.array(), from(line), end(line) - 1, new Position(position(line)));
    } catch (JsonException e) {
      throw new IllegalStateException("a line of ours is an envelope", e);
    }
  }

  /** Encodes one more message. */
  void add(long number, byte[] time, Message message) {
    if (size == ends.length) {
      numbers = Arrays.copyOf(numbers, 2 * size);
      ends = Arrays.copyOf(ends, 2 * size);
      positions = Arrays.copyOf(positions, 2 * size);
    }
    BootTime clock = message.isClocked() ? BootClock.system().now() : null;
    encoder.encode(bytes, number, firstSeq + size, time, clock, message);
    bytes.raw('\n');
    numbers[size] = number;
    ends[size++] = bytes.length();
  }

  /** Takes the lines from {@code size} on back. */
  void truncate(int size) {
    if (size < this.size) {
      bytes.truncate(from(size));
      this.size = size;
    }
  }

  int size() {
    return size;
  }

  WriterId writer() {
    return writer;
  }

  long seq(int line) {
    return firstSeq + line;
  }

  int byteCount() {
    return bytes.length();
  }

  byte[] array() {
    return bytes.array();
  }

  int from(int line) {
    return line == 0 ? 1 : ends[line - 1];
  }

  /** Where a line ends, its newline included. */
  int end(int line) {
    return ends[line];
  }

  /** How long a line is, its newline included. */
  int length(int line) {
    return end(line) - from(line);
  }

  /** Whether {@code other[from..to)}, without newline, is this line. */
  boolean isLine(int line, byte[] other, int from, int to) {
    int ownFrom = from(line);
    int ownTo = end(line) - 1;
    return to - from == ownTo - ownFrom
        && Arrays.equals(bytes.array(), ownFrom, ownTo, other, from, to);
  }

  /** Whether {@code other[from..to)} begins as all our lines do, and those of nobody else. */
  boolean isOfSameWriter(byte[] other, int from, int to) {
    return to - from >= beginning.length
        && Arrays.equals(beginning, 0, beginning.length, other, from, from + beginning.length);
  }

  /** Whether {@code other[from..to)} is something else with this line glued to its end. */
  boolean isGlued(int line, byte[] other, int from, int to) {
    int ownFrom = from(line);
    int ownTo = end(line) - 1;
    int length = ownTo - ownFrom;
    return to - from > length
        && Arrays.equals(bytes.array(), ownFrom, ownTo, other, to - length, to);
  }

  /** Takes note that the next line ends at {@code position}. */
  void found(long position) {
    positions[storedCount++] = position;
  }

  /** Where a stored line ends in the topic. */
  long position(int line) {
    return positions[line];
  }

  /** What was found was in a file that is not the topic any more. */
  void forgetStored() {
    storedCount = 0;
  }

  /** A line was stored again, elsewhere, because readers pass over it. */
  void storedAgain(int line, EncodedBatch again, int lineThere) {
    if (elsewhere.length < size) {
      elsewhere = Arrays.copyOf(elsewhere, size);
    }
    elsewhere[line] = again.answer(lineThere);
  }

  /** Only so many lines, from the first on, are there for readers. */
  void keepStored(int count) {
    storedCount = Math.min(storedCount, count);
  }

  /** How many lines, from the first on, are known to be in the topic. */
  int storedCount() {
    return storedCount;
  }

  boolean isStored() {
    return storedCount == size;
  }

  /** Adds the answers for some of the lines, as far as they are stored. */
  void stored(int from, int to, List<Stored> answers) {
    for (int line = from; line < Math.min(to, storedCount); line++) {
      answers.add(answer(line));
    }
  }

  private Stored answer(int line) {
    Stored again = line < elsewhere.length ? elsewhere[line] : null;
    return again != null
        ? again
        : new Stored(
            topic,
            writer,
            numbers[line],
            firstSeq + line,
            new Position(position(line)),
            length(line));
  }
}
