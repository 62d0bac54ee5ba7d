package dev.parley.dialects.conductor;

import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.file.ForeignFile;
import dev.parley.dialects.file.IndentedJson;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object in a file. Every worker reads it, changes it and writes it back as a whole.
 *
 * <p>Other programs truncate the file before they write it, so an unreadable file may be whole a
 * moment later. A file that stays unreadable is left as it is.
 */
final class JsonObjectFile {
  private static final int TRIES = 20;
  private static final long PAUSE_NANOS = 5_000_000;

  private final Path file;
  private final Consumer<FileRemark> remarks;

  JsonObjectFile(Path file, Consumer<FileRemark> remarks) {
    this.file = file;
    this.remarks = remarks;
  }

  Path path() {
    return file;
  }

  /** The file's members; null if it can't be read, which is reported. */
  @Nullable Map<String, Json> read() {
    byte[] content = settled();
    return content == null ? null : parse(content);
  }

  /** Reads the file again until it is whole; null if it never is. */
  private byte @Nullable [] settled() {
    for (int i = 0; i < TRIES; i++) {
      byte[] content = ForeignFile.read(file);
      boolean cut = content.length == 0 && i + 1 < TRIES && file.toFile().exists();
      if (!cut && parse(content) != null) {
        return content;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    remarks.accept(new FileRemark(file, 0, false, "is not a JSON object"));
    return null;
  }

  private static @Nullable Map<String, Json> parse(byte[] content) {
    if (new String(content, StandardCharsets.UTF_8).isBlank()) {
      return new LinkedHashMap<>();
    }
    try {
      Json json = Json.parse(content, Json.DEFAULT_DEPTH);
      return json.isObject() ? new LinkedHashMap<>(json.fields()) : null;
    } catch (JsonException e) {
      return null;
    }
  }

  /**
   * Changes the file, under whatever lock the caller holds. Another program may write without that
   * lock. If its write is seen before the file is replaced, the change starts over. If it is seen
   * afterwards, it is merged into the new file.
   *
   * @param change maps the old members to the new ones; may be called several times
   * @return false if the file can't be read; then nothing is changed
   */
  boolean change(UnaryOperator<Map<String, Json>> change) {
    while (true) {
      byte[] content = settled();
      Map<String, Json> before = content == null ? null : parse(content);
      if (content == null || before == null) {
        return false;
      }
      Map<String, Json> after = change.apply(new LinkedHashMap<>(before));
      if (after.equals(before)) {
        return true;
      }
      try (FileChannel old = FileChannel.open(file, StandardOpenOption.READ)) {
        if (replace(content, after)) {
          keepLate(old, before);
          return true;
        }
      } catch (NoSuchFileException e) {
        ForeignFile.replace(file, bytes(after));
        return true;
      } catch (IOException e) {
        throw ForeignFile.trouble("Writing", file, e);
      }
    }
  }

  /** Replaces the file; false if it has changed since it was read. */
  private boolean replace(byte[] read, Map<String, Json> after) {
    return ForeignFile.replace(
        file, bytes(after), temporary -> Arrays.equals(ForeignFile.read(file), read));
  }

  /** Merges what a program with the old file open wrote before the replacement. */
  private void keepLate(FileChannel old, Map<String, Json> before) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(old.size(), Integer.MAX_VALUE - 8));
    while (buffer.hasRemaining() && old.read(buffer, buffer.position()) > 0) {
      // Read on until the end of the file.
    }
    Map<String, Json> late = parse(Arrays.copyOf(buffer.array(), buffer.position()));
    if (late == null || late.isEmpty() || late.equals(before)) {
      return;
    }
    Set<String> names = new LinkedHashSet<>(before.keySet());
    names.addAll(late.keySet());
    names.removeIf(name -> Objects.equals(before.get(name), late.get(name)));
    var _ =
        change(now -> {
          for (String name : names) {
            Json value = late.get(name);
            if (value == null) {
              now.remove(name);
            } else {
              now.put(name, value);
            }
          }
          return now;
        });
  }

  private static byte[] bytes(Map<String, Json> fields) {
    Json.ObjectBuilder json = Json.object();
    fields.forEach(json::put);
    return IndentedJson.bytes(json.build());
  }
}
