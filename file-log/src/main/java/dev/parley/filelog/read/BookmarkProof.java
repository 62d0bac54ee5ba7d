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
  /** How much of the beginning and of the end before a place goes into its proof. */
  static final int WITNESS = 256;

  private final Bookmark place;
  private final byte[] beginning;
  private final byte[] end;

  /**
   * @param beginning the first bytes of the file, at most as many as stand before the place
   * @param end the last bytes before the place
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

  /** Whether the beginning is all that counts of it, however the file grows. */
  boolean isLong() {
    return beginning.length == WITNESS;
  }

  /** The place after a line that was appended to a {@linkplain #isLong long} one. */
  BookmarkProof after(byte[] line) {
    byte[] last = new byte[WITNESS];
    int ofLine = Math.min(line.length, WITNESS);
    System.arraycopy(end, ofLine, last, 0, WITNESS - ofLine);
    System.arraycopy(line, line.length - ofLine, last, WITNESS - ofLine, ofLine);
    return new BookmarkProof(place.position().value() + line.length, beginning, last);
  }

  /** Eight bytes at a time: this is done twice for each read. */
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
