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
 * Stores batches of lines in one topic's file, and returns only when every reader can see them.
 *
 * <pre>
 * write ─▶ check the path ─┬─ our file, grown by our bytes only ──────────────▶ stored
 *                          ├─ our file, others wrote too, now and last time ──▶ stored
 *                          ├─ our file, others wrote too ─▶ read back ─┬─ there ─▶ stored
 *                          │                                           ├─ appended to a fragment ─▶ write again
 *                          │                                           └─ not there ─▶ unknown
 *                          ├─ another file, or none ─▶ open it, read it, write what is missing
 *                          └─ short write or error ─▶ end the fragment, read back,
 *                                                     write what is missing, or failed
 *
 * stored ─▶ did others write since our last line? ─┬─ no ────────────────────────▶ done
 *                                                  ├─ yes, none under our id ────▶ done
 *                                                  └─ yes, under our id, so readers pass over
 *                                                     our lines ─▶ to be stored under a new id
 * </pre>
 *
 * <p>With durability {@code disk} a batch is synced before it counts as stored; the first sync
 * after opening the file also syncs the folder. After a failed sync nothing more is written,
 * because the kernel reports such a failure once and the next sync would succeed wrongly.
 *
 * <p>Guarded by the lock of its {@link TopicWriter}.
 */
final class TopicFile {
  /** How often a batch is written before the append fails. */
  private static final int MAX_ATTEMPTS = 16;

  /**
   * How long the size seen after one write is used as the size before the next. If another writer
   * leaves a fragment meanwhile, our line is appended to that fragment; the check after the write
   * notices that, and the line is written again.
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

  /** Invariant: if not unknown, the file once had this size, and its last byte was a newline. */
  private long cleanEnd = UNKNOWN_END;

  private long cleanAt;

  /**
   * Whether others wrote during our last write. Then the next write begins with a newline, so that
   * our lines can't be appended to a fragment.
   */
  private boolean othersWrite;

  /** Whether {@link Disk.Appender#end} was once proven right by reading back. */
  private boolean endsProven;

  private final ForgedLineCheck forgedLines;

  /** The writer of the present batch. What precedes its first line can't contain its id. */
  private @Nullable WriterId writer;

  /** The file whose bytes before {@code seenTo} were checked for lines under our id. */
  private @Nullable Object seenKey;

  private long seenTo;

  private boolean interrupted;
  private boolean folderSynced;
  private @Nullable IOException failedSync;

  /** The file that the present batch was first written to, and its size before that. */
  private @Nullable Object batchKey;

  private long batchStart;

  TopicFile(Disk disk, Path path, Topic topic, Limits limits, Durability durability) {
    this.forgedLines = new ForgedLineCheck(topic, limits);
    this.disk = disk;
    this.path = path;
    this.limits = limits;
    this.durability = durability;
  }

  /**
   * Returns when every line of the batch is stored.
   *
   * @param now the present {@link System#nanoTime}
   * @return the lines that readers pass over because another program wrote under our id; the caller
   *     stores them again under another id
   * @throws NotStoredException if a line is not stored; {@link EncodedBatch#storedCount} tells how
   *     many are
   */
  int[] store(EncodedBatch batch, long now) throws NotStoredException {
    if (failedSync != null) {
      throw NotStoredException.poisoned(path, failedSync);
    }
    int[] passedOver = write(batch, now);
    if (durability == Durability.DISK) {
      sync(batch);
    }
    return passedOver;
  }

  private void sync(EncodedBatch batch) throws NotStoredException {
    try {
      open().sync();
      Path folder = path.getParent();
      if (!folderSynced && folder != null) {
        disk.syncFolder(folder);
        folderSynced = true;
      }
    } catch (IOException e) {
      batch.forgetStored();
      failedSync = e;
      throw NotStoredException.notSynced(path, e);
    }
  }

  private int[] write(EncodedBatch batch, long now) throws NotStoredException {
    batchKey = null;
    boolean interruptedOrReplaced = false;
    for (int attempt = 1; true; attempt++) {
      if (attempt > MAX_ATTEMPTS) {
        throw NotStoredException.changing(path);
      }
      try {
        if (interruptedOrReplaced) {
          batch.forgetStored();
          searchAgain(batch);
          interruptedOrReplaced = false;
        } else {
          tryToStore(batch, now);
        }
        if (batch.isStored()) {
          return passedOver(batch);
        }
      } catch (ReplacedException e) {
        interruptedOrReplaced = true;
      } catch (ClosedChannelException e) {
        // An interrupt during a read or write closes the file. The writer restores the flag later.
        interrupted |= Thread.interrupted();
        close();
        interruptedOrReplaced = true;
      }
    }
  }

  /** The lines of a stored batch that readers pass over. */
  private int[] passedOver(EncodedBatch batch)
      throws NotStoredException, ReplacedException, ClosedChannelException {
    try {
      Object key = open().key();
      boolean isKnown = key.equals(seenKey) && batch.position(0) - batch.length(0) >= seenTo;
      long from = isKnown ? seenTo : 0;
      long end = batch.position(batch.size() - 1);
      // If the file grew by no more than our bytes, nobody else wrote.
      boolean alone = end - from <= batch.byteCount();
      int[] passedOver =
          alone ? ForgedLineCheck.NONE : forgedLines.passedOver(reader(), from, batch);
      seenKey = key;
      seenTo = end;
      return passedOver;
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      throw NotStoredException.unknown(path, e);
    }
  }

  /** Whether the thread was interrupted in {@link #store} since the last call of this method. */
  boolean takeInterrupt() {
    boolean taken = interrupted;
    interrupted = false;
    return taken;
  }

  /** Another file is at the path. The old one was closed. */
  private static final class ReplacedException extends Exception {
    private static final long serialVersionUID = 1L;
  }

  private void tryToStore(EncodedBatch batch, long now)
      throws NotStoredException, ReplacedException, ClosedChannelException {
    boolean written = false;
    try {
      Disk.Appender file = open();
      long before = wasJustSeen(file, now) ? cleanEnd : file.size();
      if (!file.key().equals(batchKey)) {
        batchKey = file.key();
        batchStart = before;
      }
      if (!batch.writer().equals(writer)) {
        writer = batch.writer();
        seenKey = file.key();
        seenTo = before;
      }
      int first = batch.storedCount();
      boolean apart =
          othersWrite
              || batch.size() - first > 1
              || (before != cleanEnd && before > 0 && lastByte(before) != '\n');
      // In the batch each line is preceded by a newline.
      int from = batch.from(first) - (apart ? 1 : 0);
      int length = batch.byteCount() - from;
      written = true;
      WriteResult result = write(file, batch.array(), from, length);
      long size = lookAtPath(file);
      long end = result.count < length ? UNKNOWN_END : end(file, batch, from, before, size);
      if (end != UNKNOWN_END) {
        for (int line = first; line < batch.size(); line++) {
          batch.found(end - batch.byteCount() + batch.end(line));
        }
        cleanEnd = end;
        cleanAt = now; // slightly early; asking the clock again would cost more than it gains
      } else {
        // The file is smaller than expected: it was truncated, so our lines can be anywhere.
        long searchFrom = size < before + result.count ? 0 : before;
        settle(batch, file, searchFrom, result.error, result.count < length);
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
   * The place where the written part of a batch ends; unknown unless it is proven that our lines
   * are whole there.
   *
   * @param before the size of the file before the write
   * @param size the size of the file after the write
   */
  private long end(Disk.Appender file, EncodedBatch batch, int from, long before, long size)
      throws IOException {
    int length = batch.byteCount() - from;
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
    if (endsProven && batch.array()[from] == '\n') {
      return end;
    }
    long start = end - length;
    int newline = start > 0 && batch.array()[from] != '\n' ? 1 : 0;
    readBack = room(readBack, newline + length);
    boolean proven =
        file.readBack(readBack, start - newline) == newline + length
            && (newline == 0 || readBack.get(0) == '\n')
            && readBack.flip().position(newline).equals(written.flip());
    endsProven |= proven;
    return proven ? end : UNKNOWN_END;
  }

  /** The size of the open file, if it is still the one at the path. */
  private long lookAtPath(Disk.Appender file) throws IOException, ReplacedException {
    long size = file.sizeInPlace();
    if (size == Disk.Appender.ELSEWHERE) {
      close();
      throw new ReplacedException();
    }
    return size;
  }

  /** Reads back what is in the file, after others wrote meanwhile or our write failed. */
  private void settle(
      EncodedBatch batch,
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
    WrittenLineSearch found = search(batch, from);
    if (batch.isStored()) {
      return;
    }
    if (!ended && found.hasUnended()) {
      // Only the newline is missing: the next writer's newline will complete the line.
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

  /**
   * A cleared buffer whose limit is {@code length}; reuses {@code buffer} if it is large enough.
   */
  private static ByteBuffer room(ByteBuffer buffer, int length) {
    ByteBuffer enough =
        buffer.capacity() < length
            ? ByteBuffer.allocateDirect(Math.max(length, 2 * buffer.capacity()))
            : buffer;
    return enough.clear().limit(length);
  }

  /** Searches the file that is now at the path for our lines; it may contain them or not. */
  private void searchAgain(EncodedBatch batch)
      throws NotStoredException, ReplacedException, ClosedChannelException {
    if (batchKey == null) {
      return; // nothing was written yet
    }
    try {
      Disk.Appender file = open();
      long from = file.key().equals(batchKey) ? batchStart : 0;
      if (search(batch, from).hasUnended() && endFragment(file)) {
        lookAtPath(file);
        search(batch, from);
      }
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      throw NotStoredException.unknown(path, e);
    }
  }

  /** Searches for the batch's next lines from an offset on, decoding lines as a reader does. */
  private WrittenLineSearch search(EncodedBatch batch, long from)
      throws IOException, NotStoredException, ReplacedException {
    Disk.Reader file = reader();
    long end = file.size();
    WrittenLineSearch own = new WrittenLineSearch(batch);
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

  /** The first line start at or after an offset; none if a fragment extends to the end. */
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

  /** A reader of the same file that is open for appending. */
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
      // Writes were verified before they were acknowledged, so a failed close loses nothing.
    }
  }
}
