package dev.parley.filelog.append;

import dev.parley.filelog.disk.Disk;
import dev.parley.filelog.read.LineScanner;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Searches a file for the lines of a batch, as a reader would see them: a line is found if the same
 * bytes are there between two newlines.
 */
final class WrittenLineSearch {
  private final EncodedBatch batch;
  private boolean glued;
  private boolean unended;
  private boolean outOfOrder;
  private boolean endsClean;

  WrittenLineSearch(EncodedBatch batch) {
    this.batch = batch;
  }

  /** Searches from the start of a line, and records in the batch what was found. */
  void search(Disk.Reader file, long from, long to, int limit) throws IOException {
    LineScanner lines = new LineScanner(file, from, to, limit);
    while (lines.next()) {
      if (batch.isStored()) {
        continue;
      }
      if (lines.isTooLong()) {
        glued |= nextLineEndsAt(file, lines.end() - 1);
      } else {
        look(lines);
      }
    }
    endsClean = lines.end() == to;
    if (!endsClean && !batch.isStored()) {
      unended = to - lines.end() == nextLength() && nextLineEndsAt(file, to);
    }
  }

  private void look(LineScanner lines) {
    int next = batch.storedCount();
    byte[] array = lines.array();
    if (batch.isLine(next, array, lines.from(), lines.to())) {
      batch.found(lines.end());
      return;
    }
    glued |= batch.isGlued(next, array, lines.from(), lines.to());
    if (!batch.isOfSameWriter(array, lines.from(), lines.to())) {
      return;
    }
    for (int later = next + 1; later < batch.size(); later++) {
      outOfOrder |= batch.isLine(later, array, lines.from(), lines.to());
    }
  }

  private int nextLength() {
    int next = batch.storedCount();
    return batch.end(next) - 1 - batch.from(next);
  }

  private boolean nextLineEndsAt(Disk.Reader file, long to) throws IOException {
    int length = nextLength();
    ByteBuffer tail = ByteBuffer.allocate(length);
    return length <= to
        && file.read(tail, to - length) == length
        && batch.isLine(batch.storedCount(), tail.array(), 0, length);
  }

  /** Whether the next missing line was appended to a fragment. */
  boolean isGlued() {
    return glued;
  }

  /** Whether the next missing line is there without its newline. */
  boolean hasUnended() {
    return unended;
  }

  /** Whether a line was found but an earlier one was not: the file was edited. */
  boolean isOutOfOrder() {
    return outOfOrder;
  }

  /** Whether the last byte searched was a newline. */
  boolean endsClean() {
    return endsClean;
  }
}
