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
 * Encoded lines of one writer, in order. Once they are stored, their positions are known.
 *
 * <pre>
 * \n line \n line \n line \n
 * │  └ from(0)       └ from(2)
 * └ written only if another writer's fragment may come before
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

  /** For each line: its number, the end of its bytes, and the end of the line in the topic. */
  private long[] numbers = new long[8];

  private int[] ends = new int[8];
  private long[] positions = new long[8];

  /** For each line that was stored again under another writer id: the answer for that line. */
  private @Nullable Stored[] elsewhere = NONE;

  EncodedBatch(Topic topic, WriterId writer) {
    this.topic = topic;
    this.writer = writer;
    this.encoder = EnvelopeEncoder.withSums(writer, topic);
    this.beginning = encoder.beginning();
    bytes.raw('\n');
  }

  /** Empties the batch for reuse. */
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

  /** Signs the lines that are added from now on; null ends signing. */
  void signWith(EnvelopeEncoder.@Nullable Signer signer) {
    encoder.signWith(signer);
  }

  /** A stored line as readers see it. */
  Envelope envelope(int line) {
    try {
      return new EnvelopeDecoder(Limits.DEFAULT)
          .decode(topic, bytes.array(), from(line), end(line) - 1, new Position(position(line)));
    } catch (JsonException e) {
      throw new IllegalStateException("a line of ours is an envelope", e);
    }
  }

  /** Encodes a message as the next line. */
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

  /** Removes the lines from {@code size} on. */
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

  /** The end of a line in {@link #array}, its newline included. */
  int end(int line) {
    return ends[line];
  }

  /** The length of a line, its newline included. */
  int length(int line) {
    return end(line) - from(line);
  }

  /** Whether {@code other[from..to)} equals this line without its newline. */
  boolean isLine(int line, byte[] other, int from, int to) {
    int ownFrom = from(line);
    int ownTo = end(line) - 1;
    return to - from == ownTo - ownFrom
        && Arrays.equals(bytes.array(), ownFrom, ownTo, other, from, to);
  }

  /** Whether {@code other[from..to)} begins with the prefix that only this writer's lines have. */
  boolean isOfSameWriter(byte[] other, int from, int to) {
    return to - from >= beginning.length
        && Arrays.equals(beginning, 0, beginning.length, other, from, from + beginning.length);
  }

  /** Whether {@code other[from..to)} is a fragment with this line appended to it. */
  boolean isGlued(int line, byte[] other, int from, int to) {
    int ownFrom = from(line);
    int ownTo = end(line) - 1;
    int length = ownTo - ownFrom;
    return to - from > length
        && Arrays.equals(bytes.array(), ownFrom, ownTo, other, to - length, to);
  }

  /** Records that the next line ends at {@code position}. */
  void found(long position) {
    positions[storedCount++] = position;
  }

  /** The end of a stored line in the topic. */
  long position(int line) {
    return positions[line];
  }

  /** Forgets all positions, because the file they were found in was replaced. */
  void forgetStored() {
    storedCount = 0;
  }

  /** Records that a line was stored again in another batch, because readers pass over it here. */
  void storedAgain(int line, EncodedBatch again, int lineThere) {
    if (elsewhere.length < size) {
      elsewhere = Arrays.copyOf(elsewhere, size);
    }
    elsewhere[line] = again.answer(lineThere);
  }

  /** Counts only the first {@code count} lines as stored. */
  void keepStored(int count) {
    storedCount = Math.min(storedCount, count);
  }

  /** The number of lines, from the first on, that are known to be in the topic. */
  int storedCount() {
    return storedCount;
  }

  boolean isStored() {
    return storedCount == size;
  }

  /** Adds the answers for those of the given lines that are stored. */
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
