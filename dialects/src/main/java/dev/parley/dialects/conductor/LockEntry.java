package dev.parley.dialects.conductor;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.path.PathPattern;
import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import dev.parley.dialects.message.Origin;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A lock as {@code locks.json} has it. Some workers write only their name instead of an object.
 *
 * <pre>
 * "src/a.ts": {"worker_id": "worker-1.1-x", "acquired_at": "…Z", "expires_at": "…Z"}
 * "src/a.ts": "worker-1.1-x"
 * </pre>
 *
 * @param key the path as the file writes it
 * @param path the same without {@code ./}
 * @param worker its name on the bus
 * @param acquired the acquisition time, as the file writes it
 * @param expires null if the entry has no end; then the lock lasts as long as the entry
 */
record LockEntry(
    String key, String path, String worker, String acquired, @Nullable Instant expires) {
  static LockEntry of(String key, Json value) {
    Fields fields = Fields.of(value.isObject() ? value : null);
    String bare = value.text();
    String worker = bare != null ? bare : fields.text("worker_id", "");
    return new LockEntry(
        key,
        key.startsWith("./") ? key.substring(2) : key,
        Origin.sender(worker, ConductorCodec.DIALECT),
        fields.text("acquired_at", ""),
        fields.time("expires_at"));
  }

  /** The locks in a file that the bus can hold as well, by path. */
  static Map<String, LockEntry> all(Map<String, Json> file) {
    Map<String, LockEntry> entries = new LinkedHashMap<>();
    file.forEach((key, value) -> {
      LockEntry entry = of(key, value);
      if (entry.canBeHeld()) {
        entries.put(entry.path, entry);
      }
    });
    return entries;
  }

  /** Whether the path lies inside a working tree. */
  boolean canBeHeld() {
    try {
      return path.equals(PathPattern.of(PathPattern.quote(path)).path());
    } catch (ParleyException e) {
      return false;
    }
  }

  boolean isLive(Instant now) {
    return expires == null || now.isBefore(expires);
  }

  /** The same lock, lasting at least until this time. */
  Json lasting(Instant time, @Nullable Json before) {
    return json(
        worker, acquired, expires == null || expires.isBefore(time) ? time : expires, before);
  }

  /**
   * The JSON of a lock.
   *
   * @param before the same worker's existing entry; its members that we do not know are kept
   */
  static Json json(String worker, String acquired, Instant expires, @Nullable Json before) {
    Map<String, Json> fields = new LinkedHashMap<>();
    fields.put("worker_id", Json.of(worker));
    if (before != null && before.isObject()) {
      fields.putAll(before.fields());
    }
    fields.put("acquired_at", Json.of(acquired));
    fields.put("expires_at", Json.of(Timestamps.format(expires)));
    Json.ObjectBuilder json = Json.object();
    fields.forEach(json::put);
    return json.build();
  }
}
