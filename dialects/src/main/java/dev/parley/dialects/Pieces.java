package dev.parley.dialects;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a file, one after the other. While the messages of one are taken, those of the next
 * can be made ready, and the one after that be read. Nothing of that goes on once this is closed.
 *
 * <p>Used by one thread.
 */
final class Pieces implements AutoCloseable {
  private static final int LENGTH = 1 << 18;

  private final AppendedFiles<?> files;
  private final String name;
  private final int longest;
  private Piece current;

  /** The part after the current one, its messages made ready. */
  private @Nullable Ahead<Piece> next;

  /** The one after that, read. */
  private @Nullable Ahead<Piece> second;

  /**
   * A part of a file.
   *
   * @param length how much was asked for
   * @param read how much there was of that
   * @param remarks what there is to say of it
   */
  record Piece(
      long from, int length, int read, Incoming.Found<Incoming> found, List<Remark> remarks) {
    boolean isFull() {
      return read == length;
    }

    long end() {
      return from + found.end();
    }
  }

  /**
   * @param longest how many bytes are read to find the end of a message
   * @param first how many are read at first
   */
  Pieces(AppendedFiles<?> files, String name, int longest, long from, long first) {
    this.files = files;
    this.name = name;
    this.longest = longest;
    this.current = read(from, (int) Math.min(first, Math.min(LENGTH, longest)));
  }

  Piece current() {
    return current;
  }

  /** Begins with the part after this one. */
  void lookAhead() {
    Piece piece = current;
    Ahead<Piece> read = second == null ? Ahead.of(() -> after(piece)) : second;
    next = read.then(Pieces::prepared);
    second = read.then(following -> following.isFull() ? after(following) : following);
  }

  /** Goes on to the part that was looked ahead to; false if none was. */
  boolean advance() {
    if (next == null) {
      return false;
    }
    current = next.join();
    next = null;
    return true;
  }

  private Piece after(Piece piece) {
    int length = piece.found.end() > 0 ? LENGTH : 2 * piece.length; // or one long message
    return read(piece.end(), Math.min(length, longest));
  }

  private static Piece prepared(Piece piece) {
    piece.found.messages().forEach(Incoming::prepare);
    return piece;
  }

  private Piece read(long from, int length) {
    Path path = files.path(name);
    byte[] added = ForeignFile.read(path, from, length);
    List<Remark> told = new ArrayList<>();
    Remark.Sink sink =
        (line, understood, reason) -> {
          if (!understood) {
            told.add(new Remark(path, 0, false, reason));
          }
        };
    int before = from == 0 ? 0 : 1;
    Incoming.Found<Incoming> found =
        added.length < length
            ? files.readLast(name, added, before, sink)
            : files.read(name, added, before, sink);
    if (added.length >= longest && found.end() == 0) {
      told.add(
          new Remark(
              path, 0, false, longest + " bytes without a message in them (maxForeignLine)"));
      found = new Incoming.Found<>(List.of(), added.length);
    }
    return new Piece(from, length, added.length, found, told);
  }

  @Override
  public void close() {
    if (next != null) {
      next.settle();
    }
    if (second != null) {
      second.settle();
    }
  }
}
