package dev.parley.filelog.append;

import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.Position;
import dev.parley.core.Topic;
import dev.parley.core.codec.EnvelopeDecoder;
import dev.parley.core.json.JsonException;
import dev.parley.filelog.disk.Disk;
import dev.parley.filelog.read.LineScanner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Finds lines that carry our writer's id but were not written by us. A reader that has seen one
 * with a higher seq treats the lines that we store after it as repeats and skips them.
 */
final class ForgedLineCheck {
  static final int[] NONE = {};

  private final Topic topic;
  private final Limits limits;
  private final int[] jumps = new int[256];

  /**
   * The writer id and the hyphen that follows it in each message id. These bytes occur in another
   * writer's line only if that line was forged or quotes ours.
   */
  private byte[] name = {};

  ForgedLineCheck(Topic topic, Limits limits) {
    this.topic = topic;
    this.limits = limits;
  }

  /**
   * The lines of a stored batch that readers skip.
   *
   * @param from the place to begin at: everything before it was written before our id was known, or
   *     was checked already
   */
  int[] passedOver(Disk.Reader file, long from, EncodedBatch batch) throws IOException {
    lookFor(batch);
    EnvelopeDecoder decoder = new EnvelopeDecoder(limits);
    long end = batch.position(batch.size() - 1);
    LineScanner lines = new LineScanner(file, from, end, limits.line());
    long highest = batch.seq(0) - 1;
    int[] passedOver = NONE;
    int next = 0;
    while (next < batch.size() && lines.next()) {
      if (lines.end() == batch.position(next)) {
        if (batch.seq(next) <= highest) {
          passedOver = Arrays.copyOf(passedOver, passedOver.length + 1);
          passedOver[passedOver.length - 1] = next;
        }
        highest = Math.max(highest, batch.seq(next++));
      } else if (!lines.isTooLong() && isNamed(lines)) {
        highest = Math.max(highest, seqIfOurs(decoder, lines, batch));
      }
    }
    return passedOver;
  }

  private void lookFor(EncodedBatch batch) {
    byte[] wanted = (batch.writer() + "-").getBytes(StandardCharsets.US_ASCII);
    if (!Arrays.equals(wanted, name)) {
      name = wanted;
      Arrays.fill(jumps, name.length);
      for (int i = 0; i < name.length - 1; i++) {
        jumps[name[i] & 0xff] = name.length - 1 - i;
      }
    }
  }

  /**
   * Whether a line contains our id. Compares the last byte of the id first (Boyer-Moore), so most
   * bytes are skipped.
   */
  private boolean isNamed(LineScanner lines) {
    byte[] bytes = lines.array();
    int last = name.length - 1;
    for (int at = lines.from(); at + last < lines.to(); at += jumps[bytes[at + last] & 0xff]) {
      if (Arrays.equals(bytes, at, at + name.length, name, 0, name.length)) {
        return true;
      }
    }
    return false;
  }

  /** The seq that a reader takes from a line under our id; 0 if it takes none. */
  private long seqIfOurs(EnvelopeDecoder decoder, LineScanner lines, EncodedBatch batch) {
    try {
      Position end = new Position(lines.end());
      Envelope line = decoder.decode(topic, lines.array(), lines.from(), lines.to(), end);
      // A line without a checksum is damage here, because lines of ours, which have one, come
      // before it.
      return line.hasSum() && batch.writer().equals(line.writer()) ? line.seq() : 0;
    } catch (JsonException e) {
      return 0;
    }
  }
}
