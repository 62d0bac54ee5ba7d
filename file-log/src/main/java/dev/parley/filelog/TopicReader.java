package dev.parley.filelog;

import dev.parley.core.Batch;
import dev.parley.core.Bookmark;
import dev.parley.core.Damage;
import dev.parley.core.Envelope;
import dev.parley.core.EnvelopeDecoder;
import dev.parley.core.Limits;
import dev.parley.core.LostPlaceException;
import dev.parley.core.Position;
import dev.parley.core.Topic;
import dev.parley.core.json.JsonException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads one topic file from a place on. Keeps nothing open and nothing in mind, so it can be used
 * by any thread, and no other reader's interrupt closes a file under it.
 */
final class TopicReader {
  /** How much of the beginning and of the end before a place goes into its proof. */
  private static final int WITNESS = 256;

  private final Disk disk;
  private final Path path;
  private final Topic topic;
  private final Limits limits;

  TopicReader(Disk disk, Path path, Topic topic, Limits limits) {
    this.disk = disk;
    this.path = path;
    this.topic = topic;
    this.limits = limits;
  }

  Batch read(Bookmark after, int limit) throws IOException {
    // A bookmark with a proof was checked when it was made: with nothing new, a look is enough.
    Disk.FileState state = after.proof() == 0 ? null : disk.state(path);
    if (state != null && state.size() == after.position().value()) {
      return Batch.empty(after);
    }
    return reading(file -> {
      long size = file == null ? 0 : file.size();
      check(file, size, after);
      if (file == null || size == after.position().value()) {
        return Batch.empty(after);
      }
      return scan(file, size, after, limit);
    });
  }

  private interface Reading<T> {
    T of(Disk.@Nullable Reader file) throws IOException;
  }

  /** Reads again if the file was cut meanwhile: then it shows whether a place was lost. */
  private <T> T reading(Reading<T> action) throws IOException {
    while (true) {
      try (Disk.Reader file = disk.read(path)) {
        return action.of(file);
      } catch (CutException e) {
        // The next look finds it shorter.
      }
    }
  }

  /** The file was longer a moment ago. */
  private static final class CutException extends IOException {
    private static final long serialVersionUID = 1L;
  }

  private Batch scan(Disk.Reader file, long size, Bookmark after, int limit) throws IOException {
    // What one read brings is enough, unless the next line is longer than that.
    long near = Math.min(size, after.position().value() + LineScanner.CHUNK);
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
    LineScanner lines = new LineScanner(file, start, size, limits.line());
    while (envelopes.size() < limit && end - start < LineScanner.CHUNK && lines.next()) {
      Position from = new Position(end);
      end = lines.end();
      if (lines.isTooLong()) {
        damage.add(
            new Damage(topic, from, lines.length(), "longer than " + limits.line() + " bytes"));
      } else if (lines.length() > 0) {
        try {
          envelopes.add(
              decoder.decode(topic, lines.array(), lines.from(), lines.to(), new Position(end)));
        } catch (JsonException e) {
          damage.add(new Damage(topic, from, lines.length(), reason(e)));
        }
      }
    }
    return end == start ? Batch.empty(after) : new Batch(envelopes, damage, place(file, end));
  }

  private static String reason(JsonException e) {
    String reason = e.getMessage();
    return reason == null ? "not JSON" : reason;
  }

  /** The place after the last newline. */
  Bookmark end() throws IOException {
    return reading(file -> file == null ? Bookmark.START : place(file, lastLineEnd(file)));
  }

  Bookmark bookmark(Position position) throws IOException {
    return reading(file -> {
      check(file, file == null ? 0 : file.size(), Bookmark.at(position));
      return file == null ? Bookmark.START : place(file, position.value());
    });
  }

  private static long lastLineEnd(Disk.Reader file) throws IOException {
    long end = file.size();
    while (end > 0) {
      byte[] piece = bytes(file, Math.max(0, end - LineScanner.CHUNK), end);
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
      throw new LostPlaceException(topic, place.position(), "there is no such topic");
    }
    if (size < position) {
      throw new LostPlaceException(topic, place.position(), "the topic ends at " + size);
    }
    if (bytes(file, position - 1, position)[0] != '\n') {
      throw new LostPlaceException(topic, place.position(), "no line ends there");
    }
    if (place.proof() != 0 && place.proof() != proof(file, position)) {
      throw new LostPlaceException(
          topic, place.position(), "the topic was replaced since it was read");
    }
  }

  private static Bookmark place(Disk.Reader file, long position) throws IOException {
    return position == 0
        ? Bookmark.START
        : new Bookmark(new Position(position), proof(file, position));
  }

  /** A hash (FNV-1a) of how the file begins and of what stands before the position. */
  private static long proof(Disk.Reader file, long position) throws IOException {
    long hash = 0xcbf29ce484222325L;
    hash = hash(hash, bytes(file, 0, Math.min(position, WITNESS)));
    hash = hash(hash, bytes(file, Math.max(0, position - WITNESS), position));
    return hash == 0 ? 1 : hash;
  }

  private static long hash(long hash, byte[] bytes) {
    long result = hash;
    for (byte b : bytes) {
      result = (result ^ (b & 0xff)) * 0x100000001b3L;
    }
    return result;
  }

  private static byte[] bytes(Disk.Reader file, long from, long to) throws IOException {
    byte[] bytes = new byte[(int) (to - from)];
    if (file.read(ByteBuffer.wrap(bytes), from) < bytes.length) {
      throw new CutException();
    }
    return bytes;
  }
}
