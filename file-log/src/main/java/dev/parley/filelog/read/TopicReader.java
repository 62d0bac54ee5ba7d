package dev.parley.filelog.read;

import dev.parley.core.Batch;
import dev.parley.core.Bookmark;
import dev.parley.core.Damage;
import dev.parley.core.Envelope;
import dev.parley.core.Limits;
import dev.parley.core.LostPlaceException;
import dev.parley.core.Position;
import dev.parley.core.Topic;
import dev.parley.core.codec.EnvelopeDecoder;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.filelog.disk.Disk;
import dev.parley.filelog.disk.SparseFileGuard;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Reads one topic file from a position on. Safe for use by several threads.
 *
 * <p>The file stays open between reads, and one thread at a time uses it; other threads open it
 * again. So an interrupt can't close the file while another thread reads. Each read first checks
 * the path, because the file may have been replaced.
 */
public final class TopicReader implements Closeable {
  /**
   * Up to this many new bytes are read in one call with the bytes that prove the position before
   * them.
   */
  private static final int READ_TOGETHER = 16 * 1024;

  public static final String NO_CHECKSUM = "has no checksum, although an earlier line has one";

  /** The approximate size of a batch in bytes; its last line is always whole. */
  private static final int BATCH = 256 * 1024;

  private final Disk disk;
  private final Path path;
  private final Topic topic;
  private final Limits limits;
  private final ChecksumStart checksums;

  /** The open file; null while a thread reads it. */
  private final AtomicReference<Disk.@Nullable Reader> idle = new AtomicReference<>();

  /** A decoder that knows the prefix of our own lines; null while a thread uses it. */
  private final AtomicReference<@Nullable EnvelopeDecoder> idleDecoder = new AtomicReference<>();

  /** The proof of the position where the last read ended. */
  private volatile @Nullable BookmarkProof tail;

  private volatile boolean closed;

  public TopicReader(Disk disk, Path path, Topic topic, Limits limits) {
    this.disk = disk;
    this.path = path;
    this.topic = topic;
    this.limits = limits;
    this.checksums = new ChecksumStart(topic, limits);
  }

  /**
   * A batch of one line that this process has just appended; null unless the last read ended at the
   * line's start. The file is not read, because the writer has already verified the line's place.
   */
  public @Nullable Batch readBack(Bookmark after, byte[] line) {
    BookmarkProof before = tail;
    if (before == null || !before.isLong() || !before.place().equals(after)) {
      return null;
    }
    BookmarkProof next = before.after(line);
    EnvelopeDecoder decoder = idleDecoder.getAndSet(null);
    if (decoder == null) {
      decoder = new EnvelopeDecoder(limits);
    }
    try {
      Envelope envelope = decoder.decode(topic, line, 0, line.length - 1, next.place().position());
      tail = next;
      return new Batch(List.of(envelope), List.of(), next.place());
    } catch (JsonException e) {
      return null; // reading the file will report the damage
    } finally {
      idleDecoder.set(decoder);
    }
  }

  public Batch read(Bookmark after, int limit) throws IOException {
    long position = after.position().value();
    Disk.FileState state = disk.state(path);
    // A bookmark with a proof was checked when it was made. If the size is unchanged, nothing else
    // needs a check.
    if (after.proof() != 0 && state != null && state.size() == position) {
      return Batch.empty(after);
    }
    return reading(
        state,
        file -> {
          long size = file == null ? 0 : file.size();
          if (file != null && size > position) {
            keep(file, position, size);
          }
          check(file, size, after);
          if (file == null || size == position) {
            return Batch.empty(after);
          }
          return scan(file, size, after, limit);
        });
  }

  /**
   * Reads everything needed in one call, if it is little: to check the position, to decode the new
   * lines, and to prove their end.
   */
  private static void keep(CachedReader file, long position, long size) throws IOException {
    long until = size - position <= READ_TOGETHER ? size : position;
    long from = Math.max(0, position - BookmarkProof.WITNESS);
    if (from > 0) {
      file.keep(0, bytes(file, 0, BookmarkProof.WITNESS));
    }
    file.keep(from, bytes(file, from, until));
  }

  private interface Reading<T> {
    T of(@Nullable CachedReader file) throws IOException;
  }

  /**
   * Runs an action, again if the file was truncated meanwhile; the repetition finds out whether the
   * position was lost.
   */
  private <T> T reading(Disk.@Nullable FileState seen, Reading<T> action) throws IOException {
    Disk.FileState state = seen;
    while (true) {
      CachedReader file = take(state);
      boolean done = false;
      try {
        T result = action.of(file);
        done = true;
        return result;
      } catch (CutException e) {
        // The new state shows the smaller size.
        state = disk.state(path);
      } finally {
        if (file != null) {
          giveBack(file.whole(), done);
        }
      }
    }
  }

  private @Nullable CachedReader take(Disk.@Nullable FileState state) throws IOException {
    Disk.Reader file = idle.getAndSet(null);
    if (file != null && state != null && file.key().equals(state.key())) {
      return new CachedReader(file, state.size());
    }
    closeQuietly(file);
    file = state == null ? null : disk.read(path);
    return file == null ? null : new CachedReader(file, file.size());
  }

  private void giveBack(Disk.Reader file, boolean isUsable) {
    if (!isUsable || !idle.compareAndSet(null, file)) {
      closeQuietly(file);
    } else if (closed) {
      close();
    }
  }

  /** Closes the file now, or when the present reads end. */
  @Override
  public void close() {
    closed = true;
    closeQuietly(idle.getAndSet(null));
  }

  private static void closeQuietly(Disk.@Nullable Reader file) {
    try {
      if (file != null) {
        file.close();
      }
    } catch (IOException e) {
      // Nothing was written, so nothing is lost.
    }
  }

  /** The file was truncated while it was read. */
  private static final class CutException extends IOException {
    private static final long serialVersionUID = 1L;
  }

  private Batch scan(Disk.Reader file, long size, Bookmark after, int limit) throws IOException {
    // One batch is enough, unless the next line is longer than a batch.
    long near = Math.min(size, after.position().value() + BATCH);
    Batch batch = scanTo(file, near, after, limit);
    boolean found = near == size || !batch.next().equals(after);
    return found ? batch : scanTo(file, size, after, limit);
  }

  private Batch scanTo(Disk.Reader file, long size, Bookmark after, int limit) throws IOException {
    List<Envelope> envelopes = new ArrayList<>();
    List<Damage> damage = new ArrayList<>();
    EnvelopeDecoder decoder = new EnvelopeDecoder(limits);
    long start = after.position().value();
    long end = start;
    boolean summed = false;
    LineScanner lines = new LineScanner(file, start, size, limits.line());
    while (envelopes.size() < limit && end - start < BATCH) {
      Envelope usual =
          decoder.decodeNext(topic, lines.array(), lines.nextFrom(), lines.filled(), end);
      if (usual != null) {
        long from = end;
        end = usual.position().value();
        lines.skip(end);
        summed |= usual.hasSum();
        if (lacksChecksum(usual, file, start, summed)) {
          damage.add(withoutChecksum(from, end));
        } else {
          envelopes.add(usual);
        }
        continue;
      }
      if (!lines.next()) {
        break;
      }
      Position from = new Position(end);
      end = lines.end();
      if (lines.isTooLong()) {
        damage.add(
            new Damage(topic, from, lines.length(), "longer than " + limits.line() + " bytes"));
      } else if (lines.length() > 0) {
        try {
          Envelope envelope =
              decoder.decode(topic, lines.array(), lines.from(), lines.to(), new Position(end));
          summed |= envelope.hasSum();
          if (lacksChecksum(envelope, file, start, summed)) {
            damage.add(withoutChecksum(from.value(), end));
          } else {
            envelopes.add(envelope);
          }
        } catch (JsonException e) {
          damage.add(new Damage(topic, from, lines.length(), reason(e)));
        }
      }
    }
    if (!summed) {
      checksums.noneBetween(file, start, end);
    }
    return end == start ? Batch.empty(after) : new Batch(envelopes, damage, place(file, end));
  }

  /**
   * Whether a line lacks the checksum that it should have.
   *
   * @param summed whether a line between {@code start} and this one has a checksum
   */
  private boolean lacksChecksum(Envelope envelope, Disk.Reader file, long start, boolean summed)
      throws IOException {
    return !envelope.hasSum() && envelope.isNative() && (summed || checksums.isBefore(file, start));
  }

  private Damage withoutChecksum(long from, long end) {
    return new Damage(topic, new Position(from), end - 1 - from, NO_CHECKSUM);
  }

  private static String reason(JsonException e) {
    String reason = e.getMessage();
    return reason == null ? "not JSON" : reason;
  }

  /** The position after the last newline. */
  public Bookmark end() throws IOException {
    return reading(
        disk.state(path), file -> file == null ? Bookmark.START : place(file, lastLineEnd(file)));
  }

  public Bookmark bookmark(Position position) throws IOException {
    return reading(
        disk.state(path),
        file -> {
          check(file, file == null ? 0 : file.size(), Bookmark.at(position));
          return file == null ? Bookmark.START : place(file, position.value());
        });
  }

  /** The first envelope with this id or at this position. */
  public Optional<Envelope> find(String id) throws IOException {
    return reading(
        disk.state(path),
        file -> {
          if (file == null) {
            return Optional.empty();
          }
          return id.startsWith(topic + "@") ? at(file, id) : withId(file, id);
        });
  }

  private Optional<Envelope> withId(Disk.Reader file, String id) throws IOException {
    ByteSearch search = new ByteSearch(file, Json.of(id));
    for (long found = search.next(); found >= 0; found = search.next()) {
      Optional<Envelope> there = lineAround(file, found).filter(it -> it.id().equals(id));
      if (there.isPresent()) {
        return there;
      }
    }
    return Optional.empty();
  }

  private Optional<Envelope> at(Disk.Reader file, String place) throws IOException {
    String number = place.substring(topic.name().length() + 1);
    if (!number.matches("[1-9][0-9]{0,17}") || Long.parseLong(number) > file.size()) {
      return Optional.empty();
    }
    return lineAround(file, Long.parseLong(number) - 1)
        .filter(it -> it.position().in(topic).equals(place));
  }

  private Optional<Envelope> lineAround(Disk.Reader file, long offset) throws IOException {
    Bookmark before = Bookmark.at(new Position(lastLineEnd(file, offset)));
    return scan(file, file.size(), before, 1).envelopes().stream().findFirst();
  }

  private static long lastLineEnd(Disk.Reader file) throws IOException {
    return lastLineEnd(file, file.size());
  }

  /** The end of the last line that ends at or before an offset. */
  private static long lastLineEnd(Disk.Reader file, long before) throws IOException {
    long end = before;
    SparseFileGuard hole = new SparseFileGuard();
    while (end > 0) {
      byte[] piece = bytes(file, Math.max(0, end - LineScanner.CHUNK), end);
      hole.see(piece, 0, piece.length);
      for (int i = piece.length; i > 0; i--) {
        if (piece[i - 1] == '\n') {
          return end - piece.length + i;
        }
      }
      end -= piece.length;
    }
    return 0;
  }

  private void check(Disk.@Nullable Reader file, long size, Bookmark place) throws IOException {
    long position = place.position().value();
    if (position == 0) {
      return;
    }
    if (file == null) {
      throw lost(place, LostPlaceException.Problem.NO_TOPIC);
    }
    if (size < position) {
      checksums.forget();
      throw new LostPlaceException(topic, place.position(), new Position(size));
    }
    if (bytes(file, position - 1, position)[0] != '\n') {
      throw lost(place, LostPlaceException.Problem.WITHIN_LINE);
    }
    if (place.proof() != 0 && !place.equals(tail(file, position).place())) {
      throw lost(place, LostPlaceException.Problem.REPLACED);
    }
  }

  private LostPlaceException lost(Bookmark place, LostPlaceException.Problem why) {
    checksums.forget();
    return new LostPlaceException(topic, place.position(), why);
  }

  private Bookmark place(Disk.Reader file, long position) throws IOException {
    if (position == 0) {
      return Bookmark.START;
    }
    BookmarkProof found = tail(file, position);
    tail = found;
    return found.place();
  }

  private static BookmarkProof tail(Disk.Reader file, long position) throws IOException {
    return new BookmarkProof(
        position,
        bytes(file, 0, Math.min(position, BookmarkProof.WITNESS)),
        bytes(file, Math.max(0, position - BookmarkProof.WITNESS), position));
  }

  private static byte[] bytes(Disk.Reader file, long from, long to) throws IOException {
    byte[] bytes = new byte[(int) (to - from)];
    if (file.read(ByteBuffer.wrap(bytes), from) < bytes.length) {
      throw new CutException();
    }
    return bytes;
  }
}
