package dev.parley.filelog.read;

import dev.parley.core.Bookmark;
import dev.parley.core.Position;
import java.nio.ByteBuffer;

/**
 * The bytes that a bookmark's proof is computed from: the beginning of the file and what precedes
 * the position. They are kept so that a later position can be proven without reading again.
 * Immutable.
 */
final class BookmarkProof {
  /**
   * How many bytes of the file's beginning, and how many before the position, are part of a proof.
   */
  static final int WITNESS = 256;

  private final Bookmark place;
  private final byte[] beginning;
  private final byte[] end;

  /**
   * @param beginning the first bytes of the file, none beyond the position
   * @param end the last bytes before the position
   */
  BookmarkProof(long position, byte[] beginning, byte[] end) {
    long hash = hash(hash(position, beginning), end);
    this.place = new Bookmark(new Position(position), hash == 0 ? 1 : hash);
    this.beginning = beginning;
    this.end = end;
  }

  Bookmark place() {
    return place;
  }

  /** Whether the beginning is complete, so that it stays the same while the file grows. */
  boolean isLong() {
    return beginning.length == WITNESS;
  }

  /** The proof after another line, for a proof that {@link #isLong}. */
  BookmarkProof after(byte[] line) {
    byte[] last = new byte[WITNESS];
    int ofLine = Math.min(line.length, WITNESS);
    System.arraycopy(end, ofLine, last, 0, WITNESS - ofLine);
    System.arraycopy(line, line.length - ofLine, last, WITNESS - ofLine, ofLine);
    return new BookmarkProof(place.position().value() + line.length, beginning, last);
  }

  /** Hashes eight bytes at a time, because every read computes two proofs. */
  private static long hash(long hash, byte[] bytes) {
    ByteBuffer words = ByteBuffer.wrap(bytes);
    long result = hash;
    while (words.remaining() >= Long.BYTES) {
      result = mix(result, words.getLong());
    }
    while (words.hasRemaining()) {
      result = mix(result, words.get());
    }
    return result;
  }

  private static long mix(long hash, long word) {
    return Long.rotateLeft(hash ^ word, 29) * 0x9e3779b97f4a7c15L;
  }
}
