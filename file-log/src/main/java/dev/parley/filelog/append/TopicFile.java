package dev.parley.filelog.append;

import dev.parley.core.Limits;
import dev.parley.core.Topic;
import dev.parley.core.writer.WriterId;
import dev.parley.filelog.Durability;
import dev.parley.filelog.disk.Disk;
import dev.parley.filelog.read.LineScanner;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * One topic's file as its writer sees it: puts a chunk of lines in, and does not say so before they
 * are there for every reader.
 *
 * <pre>
 * write ─▶ look at the path ─┬─ our file, ours ended where it would alone ────▶ stored
 *                            ├─ our file, others wrote too, as when we wrote last ─▶ stored
 *                            ├─ our file, others wrote too ─▶ read back ─┬─ there ─▶ stored
 *                            │                                           ├─ glued to a fragment ─▶ write again
 *                            │                                           └─ not there ─▶ unknown
 *                            ├─ another file, or none ─▶ open it, read it, write what is missing
 *                            └─ short write or error ─▶ end the fragment, read back,
 *                                                       write what is missing, or failed
 *
 * stored ─▶ did others write since our last line? ─┬─ no ──────────────────────────▶ done
 *                                                  ├─ yes, nothing under our id ───▶ done
 *                                                  └─ yes, under our id, so readers
 *                                                     pass over ours ─▶ to be stored under a new id
 * </pre>
 *
 * <p>With durability {@code disk} a chunk is synced before it counts as stored, and the folder with
 * it after the file was opened. After one sync that failed nothing is written any more: the system
 * reports such a failure once and takes the next sync for a success.
 *
 * <p>Used under its writer's lock.
 */
final class TopicFile {
  /** How often a chunk is written before we give up on the file. */
  private static final int MAX_ATTEMPTS = 16;

  /**
   * How long the look after one write serves as the look before the next. Should somebody leave a
   * fragment meanwhile, our line is glued to it, is found to be, and written again. Where a file
   * does not know its end, our line has to be searched for in all that others wrote meanwhile.
   */
  private static final long END_LASTS = 1_000_000; // ns

  private static final long UNTOLD_END_LASTS = 10_000; // ns

  private static final int UNKNOWN_END = -1;
  private static final int NO_LINE = -1;

  private final Disk disk;
  private final Path path;
  private final Limits limits;
  private final Durability durability;
  private Disk.@Nullable Appender appender;
  private Disk.@Nullable Reader reader;
  private ByteBuffer written = ByteBuffer.allocateDirect(8 * 1024);
  private ByteBuffer readBack = ByteBuffer.allocateDirect(8 * 1024);

  /** Invariant: if not unknown, the file had this size once and its last byte was a newline. */
  private long cleanEnd = UNKNOWN_END;

  private long cleanAt;

  /**
   * Whether others wrote when we did last. Then the next write begins with a newline, so that it is
   * lines of their own whatever stands before.
   */
  private boolean othersWrite;

  /** Whether a write was once found where this file said that it ended. */
  private boolean endsProven;

  private final ForgedLineCheck impostors;

  /** Whose lines are written; what stood before the first of them was written without its id. */
  private @Nullable WriterId writer;

  /** Of the file with this key all up to this place was looked at for lines under our id. */
  private @Nullable Object seenKey;

  private long seenTo;

  private boolean interrupted;
  private boolean folderSynced;
  private @Nullable IOException failedSync;

  /** The file that the chunk in hand was first written to, and how long it was before. */
  private @Nullable Object chunkKey;

  private long chunkStart;

  TopicFile(Disk disk, Path path, Topic topic, Limits limits, Durability durability) {
    this.impostors = new ForgedLineCheck(topic, limits);
    this.disk = disk;
    this.path = path;
    this.limits = limits;
    this.durability = durability;
  }

  /**
   * Returns when every line of the chunk is stored.
   *
   * @param now what {@link System#nanoTime} has just said
   * @return which of them readers pass over, because somebody wrote under our id: they are to be
   *     stored again under another
   * @throws NotStoredException if not; the chunk says which lines are, from the first on
   */
  int[] store(EncodedBatch chunk, long now) throws NotStoredException {
    if (failedSync != null) {
      throw NotStoredException.poisoned(path, failedSync);
    }
    int[] passedOver = write(chunk, now);
    if (durability == Durability.DISK) {
      sync(chunk);
    }
    return passedOver;
  }

  private void sync(EncodedBatch chunk) throws NotStoredException {
    try {
      open().sync();
      Path folder = path.getParent();
      if (!folderSynced && folder != null) {
        disk.syncFolder(folder);
        folderSynced = true;
      }
    } catch (IOException e) {
      chunk.forgetStored();
      failedSync = e;
      throw NotStoredException.notSynced(path, e);
    }
  }

  private int[] write(EncodedBatch chunk, long now) throws NotStoredException {
    chunkKey = null;
    boolean interruptedOrReplaced = false;
    for (int attempt = 1; true; attempt++) {
      if (attempt > MAX_ATTEMPTS) {
        throw NotStoredException.changing(path);
      }
      try {
        if (interruptedOrReplaced) {
          chunk.forgetStored();
          searchAgain(chunk);
          interruptedOrReplaced = false;
        } else {
          tryToStore(chunk, now);
        }
        if (chunk.isStored()) {
          return passedOver(chunk);
        }
      } catch (ReplacedException e) {
        interruptedOrReplaced = true;
      } catch (ClosedChannelException e) {
        // An interrupt during a read or write closes the file: the writer puts the flag back later.
        interrupted |= Thread.interrupted();
        close();
        interruptedOrReplaced = true;
      }
    }
  }

  /** Which lines of a chunk that is stored readers pass over. */
  private int[] passedOver(EncodedBatch chunk)
      throws NotStoredException, ReplacedException, ClosedChannelException {
    try {
      Object key = open().key();
      boolean isKnown = key.equals(seenKey) && chunk.position(0) - chunk.length(0) >= seenTo;
      long from = isKnown ? seenTo : 0;
      long end = chunk.position(chunk.size() - 1);
      // No more than ours, and perhaps a newline before it: nobody else wrote.
      boolean alone = end - from <= chunk.byteCount();
      int[] passedOver = alone ? ForgedLineCheck.NONE : impostors.passedOver(reader(), from, chunk);
      seenKey = key;
      seenTo = end;
      return passedOver;
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      throw NotStoredException.unknown(path, e);
    }
  }

  /** Whether the thread was interrupted in {@link #store} since this was asked last. */
  boolean takeInterrupt() {
    boolean taken = interrupted;
    interrupted = false;
    return taken;
  }

  /** The file at the path is not the one that is open; nothing is open any more. */
  private static final class ReplacedException extends Exception {
    private static final long serialVersionUID = 1L;
  }

  private void tryToStore(EncodedBatch chunk, long now)
      throws NotStoredException, ReplacedException, ClosedChannelException {
    boolean written = false;
    try {
      Disk.Appender file = open();
      long before = wasJustSeen(file, now) ? cleanEnd : file.size();
      if (!file.key().equals(chunkKey)) {
        chunkKey = file.key();
        chunkStart = before;
      }
      if (!chunk.writer().equals(writer)) {
        writer = chunk.writer();
        seenKey = file.key();
        seenTo = before;
      }
      int first = chunk.storedCount();
      boolean apart =
          othersWrite
              || chunk.size() - first > 1
              || (before != cleanEnd && before > 0 && lastByte(before) != '\n');
      // Every line has a newline before it in the chunk.
      int from = chunk.from(first) - (apart ? 1 : 0);
      int length = chunk.byteCount() - from;
      written = true;
      WriteResult result = write(file, chunk.array(), from, length);
      long size = lookAtPath(file);
      long end = result.count < length ? UNKNOWN_END : end(file, chunk, from, before, size);
      if (end != UNKNOWN_END) {
        for (int line = first; line < chunk.size(); line++) {
          chunk.found(end - chunk.byteCount() + chunk.end(line));
        }
        cleanEnd = end;
        cleanAt = now; // or later, but to ask again takes longer than that matters
      } else {
        // Smaller than that: it was cut, and our lines are further to the front, if anywhere.
        long searchFrom = size < before + result.count ? 0 : before;
        settle(chunk, file, searchFrom, result.error, result.count < length);
      }
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      throw written ? NotStoredException.unknown(path, e) : NotStoredException.failed(path, e);
    }
  }

  private boolean wasJustSeen(Disk.Appender file, long now) {
    long lasts = file.knowsEnd() ? END_LASTS : UNTOLD_END_LASTS;
    return cleanEnd != UNKNOWN_END && now - cleanAt < lasts;
  }

  /**
   * Where the part of a chunk that was written ends, if it is there, and as lines of their own.
   *
   * @param before the size of the file before it was written
   * @param size and after that
   */
  private long end(Disk.Appender file, EncodedBatch chunk, int from, long before, long size)
      throws IOException {
    int length = chunk.byteCount() - from;
    long end = size == before + length || !file.knowsEnd() ? size : file.end();
    othersWrite = end != before + length;
    boolean wasCut = end < before + length || size < end;
    if (wasCut) {
      return UNKNOWN_END;
    }
    if (!othersWrite) {
      return end;
    }
    if (!file.knowsEnd()) {
      return UNKNOWN_END;
    }
    if (endsProven && chunk.array()[from] == '\n') {
      return end;
    }
    long start = end - length;
    int newline = start > 0 && chunk.array()[from] != '\n' ? 1 : 0;
    readBack = room(readBack, newline + length);
    boolean proven =
        file.readBack(readBack, start - newline) == newline + length
            && (newline == 0 || readBack.get(0) == '\n')
            && readBack.flip().position(newline).equals(written.flip());
    endsProven |= proven;
    return proven ? end : UNKNOWN_END;
  }

  /** The size of the file we opened, if it is what readers open. */
  private long lookAtPath(Disk.Appender file) throws IOException, ReplacedException {
    long size = file.sizeInPlace();
    if (size == Disk.Appender.ELSEWHERE) {
      close();
      throw new ReplacedException();
    }
    return size;
  }

  /** Others wrote meanwhile, or our write went wrong: looks what is there. */
  private void settle(
      EncodedBatch chunk,
      Disk.Appender file,
      long from,
      @Nullable IOException error,
      boolean isShort)
      throws IOException, NotStoredException, ReplacedException {
    cleanEnd = UNKNOWN_END;
    boolean ended = !isShort || endFragment(file);
    if (isShort) {
      lookAtPath(file);
    }
    WrittenLineSearch found = search(chunk, from);
    if (chunk.isStored()) {
      return;
    }
    if (!ended && found.hasUnended()) {
      // Whole but for its newline: the next writer's newline will make it a line.
      throw NotStoredException.unknown(path, error);
    }
    if (error != null) {
      throw NotStoredException.failed(path, error);
    }
    if (!isShort && !found.isGlued()) {
      throw NotStoredException.changed(path);
    }
  }

  private boolean endFragment(Disk.Appender file) throws ClosedChannelException {
    try {
      return file.write(ByteBuffer.wrap(new byte[] {'\n'})) == 1;
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      return false;
    }
  }

  private record WriteResult(int count, @Nullable IOException error) {}

  private WriteResult write(Disk.Appender file, byte[] bytes, int from, int length)
      throws ClosedChannelException {
    written = room(written, length).put(bytes, from, length).flip();
    try {
      return new WriteResult(file.write(written), null);
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      return new WriteResult(0, e);
    }
  }

  /** A buffer with room for as much, and no more: that one if it is large enough. */
  private static ByteBuffer room(ByteBuffer buffer, int length) {
    ByteBuffer enough =
        buffer.capacity() < length
            ? ByteBuffer.allocateDirect(Math.max(length, 2 * buffer.capacity()))
            : buffer;
    return enough.clear().limit(length);
  }

  /** Our lines may be anywhere in another file that is at the path now, or nowhere in it. */
  private void searchAgain(EncodedBatch chunk)
      throws NotStoredException, ReplacedException, ClosedChannelException {
    if (chunkKey == null) {
      return; // nothing was written yet
    }
    try {
      Disk.Appender file = open();
      long from = file.key().equals(chunkKey) ? chunkStart : 0;
      if (search(chunk, from).hasUnended() && endFragment(file)) {
        lookAtPath(file);
        search(chunk, from);
      }
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      throw NotStoredException.unknown(path, e);
    }
  }

  /** Looks for the chunk's next lines from an offset on, with the eyes of a reader. */
  private WrittenLineSearch search(EncodedBatch chunk, long from)
      throws IOException, NotStoredException, ReplacedException {
    Disk.Reader file = reader();
    long end = file.size();
    WrittenLineSearch own = new WrittenLineSearch(chunk);
    long start = lineStart(file, from > end ? 0 : from, end);
    if (start == NO_LINE) {
      return own;
    }
    own.search(file, start, end, limits.line());
    if (own.isOutOfOrder()) {
      throw NotStoredException.changed(path);
    }
    if (own.endsClean()) {
      cleanEnd = end;
    }
    return own;
  }

  /** The first beginning of a line at or after an offset, unless a fragment reaches to the end. */
  private long lineStart(Disk.Reader file, long from, long end) throws IOException {
    if (from == 0 || byteAt(file, from - 1) == '\n') {
      return from;
    }
    LineScanner rest = new LineScanner(file, from, end, limits.line());
    return rest.next() ? rest.end() : NO_LINE;
  }

  private int lastByte(long size) throws IOException, ReplacedException {
    return byteAt(reader(), size - 1);
  }

  private static int byteAt(Disk.Reader file, long at) throws IOException {
    ByteBuffer one = ByteBuffer.allocate(1);
    return file.read(one, at) == 1 ? one.get(0) : -1;
  }

  private Disk.Appender open() throws IOException {
    Disk.Appender file = appender;
    if (file == null) {
      file = disk.append(path);
      appender = file;
      folderSynced = false;
      cleanEnd = UNKNOWN_END;
      endsProven = false;
    }
    return file;
  }

  /** A reader of the very file that is open for appending. */
  private Disk.Reader reader() throws IOException, ReplacedException {
    Disk.Reader file = reader;
    if (file == null) {
      Disk.Appender appended = open();
      file = disk.read(path);
      reader = file;
      if (file == null || !file.key().equals(appended.key())) {
        close();
        throw new ReplacedException();
      }
    }
    return file;
  }

  boolean isOpen() {
    return appender != null;
  }

  void close() {
    closeQuietly(appender);
    closeQuietly(reader);
    appender = null;
    reader = null;
  }

  private static void closeQuietly(@Nullable Closeable file) {
    try {
      if (file != null) {
        file.close();
      }
    } catch (IOException e) {
      // What was written was looked at before it was acknowledged; there is nothing left to lose.
    }
  }
}
