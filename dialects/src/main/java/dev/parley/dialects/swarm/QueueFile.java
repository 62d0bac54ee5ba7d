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
 * One inbox or outbox: a JSON array of messages, indented by two spaces.
 *
 * <p>A reader sees the whole file, before or after a change. Entries that are not messages are
 * skipped with a remark and stay in the file through every change. A file that is not an array
 * counts as empty; before it is written to, it is kept beside as {@code <file>.damaged}.
 */
public final class QueueFile {
  private static final byte[] EMPTY = "[]".getBytes(StandardCharsets.UTF_8);

  /** Follows the name of a file whose former content could not be read, and is kept. */
  static final String DAMAGED = ".damaged";

  /** A file that is blank or not an array may be in the middle of a write for this long. */
  public static final Duration WRITING = Duration.ofSeconds(1);

  private static final Duration RETRY = Duration.ofMillis(5);
  private static final Duration FOREVER = Duration.ofDays(1);

  /** Another program may be writing the file, so nothing is decided yet. */
  private static final Outcome UNSETTLED = new Outcome(false, null);

  private static final Outcome UNCHANGED = new Outcome(true, null);

  private final Path file;
  private final FileRemark.Sink remarks;

  /** The content after the last addition. Only what is new since then is parsed. */
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

  /** Creates the file, empty, if it is missing. */
  public void create() {
    ForeignFile.create(file, EMPTY);
  }

  public List<SwarmMessage> read() {
    return entries(null).messages(remarks);
  }

  /**
   * The entries; none if the file is not an array.
   *
   * @param before the entries of an earlier read; null if there was none
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
   * The entries; null if the file is not an array. Null too while it has been blank for less than
   * {@code patience}, because a program that does not replace it atomically may be writing it.
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

  /** The time since it was written. */
  public Duration age() {
    return age(file);
  }

  private static Duration age(Path file) {
    try {
      return Duration.between(Files.getLastModifiedTime(file).toInstant(), Instant.now());
    } catch (IOException e) {
      return FOREVER; // missing
    }
  }

  /** All entries, whether messages or not; none if the file is not an array. */
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
   * Changes the entries under the lock file. A file that is not an array is left as it is.
   *
   * @param change maps the old entries to the new ones
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

  /** Is told the temporary file through which entries are put into a queue. */
  public interface Announcer {
    /** Called before the entries are written; while this file exists, they are not in the queue. */
    void announce(Path temporary);

    /**
     * Called when they will not be written; the file is to be deleted after that is noted
     * elsewhere.
     */
    void withdraw(Path temporary);
  }

  /**
   * Appends entries under the lock file. The others are left as they are.
   *
   * @param choose maps the existing entries to those to add; may be called several times
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

  /** Computes a file's new content. */
  private interface Change {
    /**
     * @param settled false if another program may be writing the file
     */
    Outcome of(byte[] content, boolean settled);
  }

  /** The result of a {@link Change}. */
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
   * Changes the file. Programs without the lock may write it at the same moment. If their write is
   * seen before the file is replaced, the change starts over. If it is seen afterwards, their
   * changes are merged into the new file.
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

  /** Merges into the file what another program wrote to the replaced one. */
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
   * Takes over the files that a killed process left beside the queue. They may hold what another
   * program wrote at the moment of the replacement. Entries that are in the queue, or whose id is,
   * are not added again.
   *
   * @param wanted selects the files to take over
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

  /** Applies to {@code now} the removals and additions between {@code base} and {@code theirs}. */
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

  /** Computes the change, waiting while another program may be in the middle of a write. */
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
    Path kept = file.resolveSibling(file.getFileName() + DAMAGED);
    try {
      if (Files.exists(kept)) {
        kept = Files.createTempFile(file.getParent(), file.getFileName() + DAMAGED + ".", "");
      }
      ForeignFile.replace(kept, content);
    } catch (IOException e) {
      throw ForeignFile.trouble("Writing", kept, e);
    }
    remarks.add(0, false, "is not a JSON array; it is kept as " + kept.getFileName());
  }

  /** Removes the entries with these ids. */
  public void remove(Set<String> ids) {
    change(items ->
        items.stream().filter(item -> !ids.contains(Fields.of(item).text("id", ""))).toList());
  }

  /** The modification time in milliseconds; 0 if the file is missing. */
  public long written() {
    FileTime written = ForeignFile.stamp(file).modified();
    return written == null ? 0 : written.toMillis();
  }

  /** Appends a message. */
  public void add(SwarmMessage message) {
    add(entries -> List.of(message.json()), null);
  }

  /** Removes all entries; creates the file if it is missing. */
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
