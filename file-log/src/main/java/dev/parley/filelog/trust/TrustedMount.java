package dev.parley.filelog.trust;

import dev.parley.core.json.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A mount that the local user decided on: files of another tool that belong to a bus.
 *
 * @param name what it is called on the bus
 * @param dialect whose files they are
 * @param path where they are, absolute
 * @param topic where their undirected messages go
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
