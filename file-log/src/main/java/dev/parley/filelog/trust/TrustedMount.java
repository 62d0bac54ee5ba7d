package dev.parley.filelog.trust;

import dev.parley.core.json.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A mount that the local user made: files of another tool that are kept in sync with a bus.
 *
 * @param name the name of the mount on the bus
 * @param dialect the tool whose files they are
 * @param path the absolute path of the files
 * @param topic the topic for messages without a recipient
 */
public record TrustedMount(String name, String dialect, String path, String topic) {
  Json toJson() {
    return Json.object()
        .put("name", name)
        .put("dialect", dialect)
        .put("path", path)
        .put("topic", topic)
        .build();
  }

  static @Nullable TrustedMount of(Json json) {
    Map<String, Json> fields = json.fields();
    String name = fields.getOrDefault("name", Json.NULL).text();
    String dialect = fields.getOrDefault("dialect", Json.NULL).text();
    String path = fields.getOrDefault("path", Json.NULL).text();
    String topic = fields.getOrDefault("topic", Json.NULL).text();
    return name == null || dialect == null || path == null || topic == null
        ? null
        : new TrustedMount(name, dialect, path, topic);
  }
}
