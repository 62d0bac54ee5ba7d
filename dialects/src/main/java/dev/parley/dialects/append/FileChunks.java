package dev.parley.dialects.append;

import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.file.ForeignFile;
import dev.parley.dialects.message.ForeignMessage;
import dev.parley.dialects.sync.BackgroundTask;
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
final class FileChunks implements AutoCloseable {
  private static final int LENGTH = 1 << 18;

  private final AppendedFiles<?> files;
  private final String name;
  private final int longest;
  private Chunk current;

  /** The part after the current one, its messages made ready. */
  private @Nullable BackgroundTask<Chunk> next;

  /** The one after that, read. */
  private @Nullable BackgroundTask<Chunk> second;

  /**
   * A part of a file.
   *
   * @param length how much was asked for
   * @param read how much there was of that
   * @param remarks what there is to say of it
   */
  record Chunk(
      long from,
      int length,
      int read,
      ForeignMessage.Found<ForeignMessage> found,
      List<FileRemark> remarks) {
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
  FileChunks(AppendedFiles<?> files, String name, int longest, long from, long first) {
    this.files = files;
    this.name = name;
    this.longest = longest;
    this.current = read(from, (int) Math.min(first, Math.min(LENGTH, longest)));
  }

  Chunk current() {
    return current;
  }

  /** Begins with the part after this one. */
  void lookAhead() {
    Chunk chunk = current;
    BackgroundTask<Chunk> read = second == null ? BackgroundTask.of(() -> after(chunk)) : second;
    next = read.then(FileChunks::prepared);
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

  private Chunk after(Chunk chunk) {
    int length = chunk.found.end() > 0 ? LENGTH : 2 * chunk.length; // or one long message
    return read(chunk.end(), Math.min(length, longest));
  }

  private static Chunk prepared(Chunk chunk) {
    chunk.found.messages().forEach(ForeignMessage::prepare);
    return chunk;
  }

  private Chunk read(long from, int length) {
    Path path = files.path(name);
    byte[] added = ForeignFile.read(path, from, length);
    List<FileRemark> told = new ArrayList<>();
    FileRemark.Sink sink =
        (line, understood, reason) -> {
          if (!understood) {
            told.add(new FileRemark(path, 0, false, reason));
          }
        };
    int before = from == 0 ? 0 : 1;
    ForeignMessage.Found<ForeignMessage> found =
        added.length < length
            ? files.readLast(name, added, before, sink)
            : files.read(name, added, before, sink);
    if (added.length >= longest && found.end() == 0) {
      told.add(
          new FileRemark(
              path, 0, false, longest + " bytes without a message in them (maxForeignLine)"));
      found = new ForeignMessage.Found<>(List.of(), added.length);
    }
    return new Chunk(from, length, added.length, found, told);
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
