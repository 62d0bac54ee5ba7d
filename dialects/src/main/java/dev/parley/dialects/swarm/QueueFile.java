package dev.parley.dialects.swarm;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.file.ForeignFile;
import dev.parley.dialects.file.IndentedJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One inbox or outbox: a JSON array of messages, laid out with two spaces.
 *
 * <p>Whoever reads it sees it whole, before or after a change. Entries that are no messages are
 * passed over with a remark and stay in the file, whatever else is changed in it. A file that is no
 * array at all counts as empty; before it is written to, it is kept beside as {@code
 * <file>.damaged}.
 */
public final class QueueFile {
  private static final byte[] EMPTY = "[]".getBytes(StandardCharsets.UTF_8);

  private static final Duration FOREVER = Duration.ofDays(1);

  private final Path file;
  private final FileRemark.Sink remarks;

  /** What was in it when something was added last: of that, only what is new is looked at again. */
  private volatile QueueEntries known = QueueEntries.NONE;

  public QueueFile(Path file, FileRemark.Sink remarks) {
    this.file = file;
    this.remarks = remarks;
  }

  public FileRemark.Sink remarks() {
    return remarks;
  }

  public Path file() {
    return file;
  }

  /** Makes it, empty, unless it is there. */
  public void create() {
    ForeignFile.create(file, EMPTY);
  }

  /** The messages in it. */
  public List<SwarmMessage> read() {
    return entries(null).messages(remarks);
  }

  /**
   * What is in it; nothing if it is no array.
   *
   * @param before what was, if it was looked at before
   */
  QueueEntries entries(@Nullable QueueEntries before) {
    QueueEntries now = settled(before, Duration.ZERO);
    if (now == null) {
      remarks.add(0, false, "is no JSON array");
      return QueueEntries.NONE;
    }
    return now;
  }

  /**
   * The same; null if it is no array, or is blank and has been for less than so long: then somebody
   * may be writing it who does not replace it at once.
   */
  public @Nullable QueueEntries settled(@Nullable QueueEntries before, Duration patience) {
    byte[] content = ForeignFile.read(file);
    if (before != null && before.isOf(content)) {
      return before;
    }
    QueueEntries now = QueueEntries.in(content, before == null ? QueueEntries.NONE : before);
    boolean blank = now == QueueEntries.NONE && patience.isPositive();
    return blank && age().compareTo(patience) < 0 ? null : now;
  }

  /** How long ago it was written. */
  public Duration age() {
    try {
      return Duration.between(Files.getLastModifiedTime(file).toInstant(), Instant.now());
    } catch (IOException e) {
      return FOREVER; // it is not there
    }
  }

  /** All entries, whatever they are; none if it is no array. */
  public List<Json> items() {
    byte[] content = ForeignFile.read(file);
    Json json = parse(content);
    if (json == null) {
      remarks.add(0, false, "is no JSON array");
      return List.of();
    }
    return json.items();
  }

  private static @Nullable Json parse(byte[] content) {
    if (new String(content, StandardCharsets.UTF_8).isBlank()) {
      return Json.of(List.of());
    }
    try {
      Json json = Json.parse(content, Json.DEFAULT_DEPTH);
      return json.isArray() ? json : null;
    } catch (JsonException e) {
      return null;
    }
  }

  /**
   * Changes the entries, under the sentinel.
   *
   * @param change gives the entries as they shall be; the very same list if nothing is to change
   */
  public void change(UnaryOperator<List<Json>> change) {
    replace(
        content -> {
          Json before = parse(content);
          if (before == null) {
            keepDamaged(content);
          }
          List<Json> items = before == null ? List.of() : before.items();
          List<Json> after = change.apply(items);
          boolean same = after.equals(items) && before != null;
          return same ? null : IndentedJson.bytes(Json.of(after));
        },
        temporary -> {});
  }

  /**
   * Adds entries at the end, under the sentinel; the others stay as they stand.
   *
   * @param choose gives what to add to what is there
   * @param ready called with the temporary file just before it takes the queue's place, perhaps
   *     more than once
   */
  public void add(Function<QueueEntries, List<Json>> choose, Consumer<Path> ready) {
    replace(
        content -> {
          QueueEntries before = known.isOf(content) ? known : QueueEntries.in(content, known);
          if (before == null) {
            keepDamaged(content);
            before = QueueEntries.NONE;
          }
          known = before.alone();
          List<Json> more = choose.apply(before);
          return more.isEmpty() ? null : before.with(more);
        },
        ready);
  }

  /** What a file's content becomes; null if it stays. */
  private interface Change {
    byte @Nullable [] of(byte[] content);
  }

  /** Should somebody who takes no lock write meanwhile, what is there then is changed instead. */
  private void replace(Change change, Consumer<Path> ready) {
    ForeignFile.createFolderOf(file);
    try (QueueLockFile _ = QueueLockFile.take(file)) {
      boolean done = false;
      while (!done) {
        ForeignFile.Stamp stamp = ForeignFile.stamp(file);
        byte[] before = ForeignFile.read(file);
        byte @Nullable [] after = change.of(before);
        done =
            after == null
                || ForeignFile.replace(
                    file,
                    after,
                    temporary -> {
                      if (!stamp.isOf(file) && !Arrays.equals(before, ForeignFile.read(file))) {
                        return false;
                      }
                      ready.accept(temporary);
                      return true;
                    });
      }
    }
  }

  private void keepDamaged(byte[] content) {
    Path kept = file.resolveSibling(file.getFileName() + ".damaged");
    try {
      if (Files.exists(kept)) {
        kept = Files.createTempFile(file.getParent(), file.getFileName() + ".damaged.", "");
      }
      ForeignFile.replace(kept, content);
    } catch (IOException e) {
      throw ForeignFile.trouble("Writing", kept, e);
    }
    remarks.add(0, false, "is no JSON array; it is kept as " + kept.getFileName());
  }

  /** Takes the entries with some ids out. */
  public void remove(Set<String> ids) {
    change(items ->
        items.stream().filter(item -> !ids.contains(Fields.of(item).text("id", ""))).toList());
  }

  /** When it was written, in milliseconds; 0 if it is not there. */
  public long written() {
    FileTime written = ForeignFile.stamp(file).modified();
    return written == null ? 0 : written.toMillis();
  }

  /** Adds a message at the end. */
  public void add(SwarmMessage message) {
    add(entries -> List.of(message.json()), temporary -> {});
  }

  /** Takes everything out; makes it if it is not there. */
  public void clear() {
    replace(
        content -> {
          if (parse(content) == null) {
            keepDamaged(content);
          }
          return Arrays.equals(content, EMPTY) ? null : EMPTY;
        },
        temporary -> {});
  }
}
