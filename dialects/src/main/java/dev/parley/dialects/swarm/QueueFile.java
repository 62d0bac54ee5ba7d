package dev.parley.dialects.swarm;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.dialects.file.FileExchange;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One inbox or outbox: a JSON array of messages, laid out with two spaces.
 *
 * <p>A reader sees the whole file, before or after a change. Entries that are no messages are
 * passed over with a remark and stay in the file, whatever else is changed in it. A file that is no
 * array at all counts as empty; before it is written to, it is kept beside as {@code
 * <file>.damaged}.
 */
public final class QueueFile {
  private static final byte[] EMPTY = "[]".getBytes(StandardCharsets.UTF_8);

  /** How long a file that is blank or no array may be one that is just being written. */
  public static final Duration WRITING = Duration.ofSeconds(1);

  private static final Duration RETRY = Duration.ofMillis(5);
  private static final Duration FOREVER = Duration.ofDays(1);

  /** Nothing can be told from a file now: somebody may just be writing it. */
  private static final Outcome UNSETTLED = new Outcome(false, null);

  private static final Outcome UNCHANGED = new Outcome(true, null);

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
      remarks.add(0, false, "is not a JSON array");
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
    return age(file);
  }

  private static Duration age(Path file) {
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
      remarks.add(0, false, "is not a JSON array");
      return List.of();
    }
    return json.items();
  }

  private static boolean isBlank(byte[] content) {
    for (byte each : content) {
      if (each > ' ' || each < 0) {
        return false;
      }
    }
    return true;
  }

  private static @Nullable Json parse(byte[] content) {
    if (isBlank(content)) {
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
   * Changes the entries, under the lock file. A file that is no array is left as it is.
   *
   * @param change gives the entries as they shall be
   */
  public void change(UnaryOperator<List<Json>> change) {
    replace(changing(change), null);
  }

  private static Change changing(UnaryOperator<List<Json>> change) {
    return (content, settled) -> {
      Json before = parse(content);
      if (before == null) {
        return settled ? UNCHANGED : UNSETTLED;
      }
      List<Json> after = change.apply(before.items());
      return after.equals(before.items())
          ? UNCHANGED
          : Outcome.of(IndentedJson.bytes(Json.of(after)));
    };
  }

  /** Is told of the temporary file by which entries are put into a queue. */
  public interface Announcer {
    /** As long as this file is there, the entries were not put into the queue by it. */
    void announce(Path temporary);

    /** They will not be: the file is to be deleted once that can be known without it. */
    void withdraw(Path temporary);
  }

  /**
   * Adds entries at the end, under the lock file; the others stay as they stand.
   *
   * @param choose gives what to add to what is there; may be called more than once
   * @param announcer null if nobody needs to know
   */
  public void add(Function<QueueEntries, List<Json>> choose, @Nullable Announcer announcer) {
    replace(
        (content, settled) -> {
          QueueEntries before = known.isOf(content) ? known : QueueEntries.in(content, known);
          if (before == null && !settled) {
            return UNSETTLED;
          }
          if (before == null) {
            keepDamaged(content);
            before = QueueEntries.NONE;
          }
          known = before.alone();
          List<Json> more = choose.apply(before);
          return more.isEmpty() ? UNCHANGED : Outcome.of(before.with(more));
        },
        announcer);
  }

  /** What becomes of a file's content. */
  private interface Change {
    /**
     * @param settled false if somebody may just be writing the file
     */
    Outcome of(byte[] content, boolean settled);
  }

  /** What a change comes to. */
  private static final class Outcome {
    final boolean settled;

    /** Null if the file stays as it is. */
    final byte @Nullable [] content;

    Outcome(boolean settled, byte @Nullable [] content) {
      this.settled = settled;
      this.content = content;
    }

    static Outcome of(byte[] content) {
      return new Outcome(true, content);
    }
  }

  private void replace(Change change, @Nullable Announcer announcer) {
    ForeignFile.createFolderOf(file);
    try (QueueLockFile _ = QueueLockFile.take(file)) {
      replaceLocked(change, announcer);
    }
  }

  /**
   * Changes the file. Programs that take no lock may write it at the same moment: if that is
   * noticed before the file is replaced, what they wrote is changed instead; if afterwards, what
   * they changed is changed in the new file too.
   */
  private void replaceLocked(Change change, @Nullable Announcer announcer) {
    Path replaced = null;
    while (replaced == null) {
      byte[] before = ForeignFile.read(file);
      byte @Nullable [] after = changed(change, file, before);
      if (after == null) {
        return;
      }
      replaced = exchange(before, after, announcer);
      if (replaced != null) {
        takeOver(before, replaced);
        ForeignFile.delete(replaced);
      }
    }
  }

  /** Does in the file what another program did to the one that was replaced. */
  private void takeOver(byte[] before, Path replaced) {
    byte[] theirs = ForeignFile.read(replaced);
    if (Arrays.equals(before, theirs)) {
      return;
    }
    Json base = parse(before);
    var _ =
        changed(
            (content, settled) -> {
              Json entries = parse(content);
              if (entries == null && !settled) {
                return UNSETTLED;
              }
              if (entries == null || base == null) {
                keepDamaged(content);
              } else {
                replaceLocked(changing(now -> merged(base.items(), entries.items(), now)), null);
              }
              return UNCHANGED;
            },
            replaced,
            theirs);
  }

  /**
   * Takes over what a killed process left beside the file: it may hold what another program had
   * written in the moment in which the file was replaced. Entries that are in the file, or have the
   * id of one, are not put there again.
   *
   * @param wanted which of the files that are left
   */
  public void recover(Predicate<Path> wanted) {
    List<Path> left = ForeignFile.leftBeside(file).stream().filter(wanted).toList();
    if (left.isEmpty()) {
      return;
    }
    try (QueueLockFile _ = QueueLockFile.take(file)) {
      for (Path each : left) {
        Json entries = parse(ForeignFile.read(each));
        if (entries != null) {
          replaceLocked(changing(now -> withMissing(now, entries.items())), null);
        }
        ForeignFile.delete(each);
      }
    }
  }

  private static List<Json> withMissing(List<Json> now, List<Json> more) {
    Set<String> ids = new HashSet<>();
    now.forEach(entry -> ids.add(Fields.of(entry).text("id", "")));
    ids.remove("");
    List<Json> all = new ArrayList<>(now);
    for (Json entry : more) {
      if (!now.contains(entry) && !ids.contains(Fields.of(entry).text("id", ""))) {
        all.add(entry);
      }
    }
    return all;
  }

  /** What some entries become if others are taken out and put in, as they were in a base. */
  static List<Json> merged(List<Json> base, List<Json> theirs, List<Json> now) {
    List<Json> removed = new ArrayList<>(base);
    theirs.forEach(removed::remove);
    List<Json> added = new ArrayList<>(theirs);
    base.forEach(added::remove);
    List<Json> merged = new ArrayList<>(now);
    removed.forEach(merged::remove);
    for (Json entry : added) {
      if (!now.contains(entry)) {
        merged.add(entry);
      }
    }
    return merged;
  }

  private @Nullable Path exchange(byte[] before, byte[] after, @Nullable Announcer announcer) {
    if (announcer == null) {
      return FileExchange.replace(file, after, before, null);
    }
    AtomicReference<Path> announced = new AtomicReference<>();
    Path replaced =
        FileExchange.replace(
            file,
            after,
            before,
            temporary -> {
              announced.set(temporary);
              announcer.announce(temporary);
            });
    if (replaced == null) {
      announcer.withdraw(announced.get());
    }
    return replaced;
  }

  /** Waits while somebody may be writing the text who does not replace it at once. */
  private static byte @Nullable [] changed(Change change, Path text, byte[] content) {
    byte[] now = content;
    while (age(text).compareTo(WRITING) < 0) {
      Outcome outcome = isBlank(now) ? UNSETTLED : change.of(now, false);
      if (outcome.settled) {
        return outcome.content;
      }
      LockSupport.parkNanos(RETRY.toNanos());
      now = ForeignFile.read(text);
    }
    return change.of(now, true).content;
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
    remarks.add(0, false, "is not a JSON array; it is kept as " + kept.getFileName());
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
    add(entries -> List.of(message.json()), null);
  }

  /** Takes everything out; makes it if it is not there. */
  public void clear() {
    replace(
        (content, settled) -> {
          if (parse(content) == null) {
            if (!settled) {
              return UNSETTLED;
            }
            keepDamaged(content);
          }
          return Arrays.equals(content, EMPTY) ? UNCHANGED : Outcome.of(EMPTY);
        },
        null);
  }
}
