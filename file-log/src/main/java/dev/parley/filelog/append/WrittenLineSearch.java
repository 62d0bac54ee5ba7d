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
  private final EncodedBatch chunk;
  private boolean glued;
  private boolean unended;
  private boolean outOfOrder;
  private boolean endsClean;

  WrittenLineSearch(EncodedBatch chunk) {
    this.chunk = chunk;
  }

  /** Searches from the beginning of a line on and notes in the batch what was found. */
  void search(Disk.Reader file, long from, long to, int limit) throws IOException {
    LineScanner lines = new LineScanner(file, from, to, limit);
    while (lines.next()) {
      if (chunk.isStored()) {
        continue;
      }
      if (lines.isTooLong()) {
        glued |= nextLineEndsAt(file, lines.end() - 1);
      } else {
        look(lines);
      }
    }
    endsClean = lines.end() == to;
    if (!endsClean && !chunk.isStored()) {
      unended = to - lines.end() == nextLength() && nextLineEndsAt(file, to);
    }
  }

  private void look(LineScanner lines) {
    int next = chunk.storedCount();
    byte[] array = lines.array();
    if (chunk.isLine(next, array, lines.from(), lines.to())) {
      chunk.found(lines.end());
      return;
    }
    glued |= chunk.isGlued(next, array, lines.from(), lines.to());
    if (!chunk.isOfSameWriter(array, lines.from(), lines.to())) {
      return;
    }
    for (int later = next + 1; later < chunk.size(); later++) {
      outOfOrder |= chunk.isLine(later, array, lines.from(), lines.to());
    }
  }

  private int nextLength() {
    int next = chunk.storedCount();
    return chunk.end(next) - 1 - chunk.from(next);
  }

  private boolean nextLineEndsAt(Disk.Reader file, long to) throws IOException {
    int length = nextLength();
    ByteBuffer tail = ByteBuffer.allocate(length);
    return length <= to
        && file.read(tail, to - length) == length
        && chunk.isLine(chunk.storedCount(), tail.array(), 0, length);
  }

  /** Whether the next line that is missing stands at the end of somebody's fragment. */
  boolean isGlued() {
    return glued;
  }

  /** Whether the next line that is missing is there but for its newline. */
  boolean hasUnended() {
    return unended;
  }

  /** Whether a line was found but one before it was not: someone has edited the file. */
  boolean isOutOfOrder() {
    return outOfOrder;
  }

  /** Whether the last byte searched was a newline. */
  boolean endsClean() {
    return endsClean;
  }
}
