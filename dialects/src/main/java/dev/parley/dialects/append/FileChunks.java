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
 * The chunks of a file, in order. While the messages of one chunk are stored, those of the next are
 * parsed and the one after that is read. Closing this waits for that work to stop.
 *
 * <p>Used by one thread.
 */
final class FileChunks implements AutoCloseable {
  private static final int LENGTH = 1 << 18;

  private final AppendedFiles<?> files;
  private final String name;
  private final int longest;
  private Chunk current;

  /** The chunk after the current one, parsed. */
  private @Nullable BackgroundTask<Chunk> next;

  /** The chunk after {@link #next}, read. */
  private @Nullable BackgroundTask<Chunk> second;

  /**
   * A chunk of a file.
   *
   * @param length how many bytes were asked for
   * @param read how many there were
   * @param remarks what was found wrong in it
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
   * @param first how many bytes are read at first
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

  /** Starts to read the next chunk. */
  void lookAhead() {
    Chunk chunk = current;
    BackgroundTask<Chunk> read = second == null ? BackgroundTask.of(() -> after(chunk)) : second;
    next = read.then(FileChunks::prepared);
    second = read.then(following -> following.isFull() ? after(following) : following);
  }

  /** Advances to the chunk that was read ahead; false if there is none. */
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
