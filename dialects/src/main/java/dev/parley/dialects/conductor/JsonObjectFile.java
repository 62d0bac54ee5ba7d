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
 * A JSON object in a file that every worker reads, changes and writes as a whole.
 *
 * <p>Others cut the file before they write it anew, so what can't be read now may be whole in a
 * moment. What stays unreadable is left as it is.
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

  /** What stands in it; null if it can't be read, which is told. */
  @Nullable Map<String, Json> read() {
    byte[] content = settled();
    return content == null ? null : parse(content);
  }

  /** What is in the file once it can be read; null if it never can. */
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
   * Changes it, under whatever lock the caller has. What somebody without that lock writes
   * meanwhile is kept: seen before the file is replaced, all is done again; seen after, it is put
   * into the new file.
   *
   * @param change gives what shall stand there; it may be asked several times
   * @return false if it can't be read, so that nothing was changed
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

  /** Replaces the file; false if it was changed since it was read. */
  private boolean replace(byte[] read, Map<String, Json> after) {
    return ForeignFile.replace(
        file, bytes(after), temporary -> Arrays.equals(ForeignFile.read(file), read));
  }

  /** Who had the old file open may have written to it until it was replaced. */
  private void keepLate(FileChannel old, Map<String, Json> before) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(old.size(), Integer.MAX_VALUE - 8));
    while (buffer.hasRemaining() && old.read(buffer, buffer.position()) > 0) {
      // Reads on until all that was there is read.
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
