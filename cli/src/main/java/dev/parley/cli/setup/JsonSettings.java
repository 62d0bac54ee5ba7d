package dev.parley.cli.setup;

import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A file of settings that is a JSON object. What others wrote there stays as it is; ours is
 * recognised by its content, so that doing it twice is doing it once.
 */
final class JsonSettings {
  private static final String HOOKS = "hooks";

  private final String before;
  private final Map<String, Json> fields;

  private JsonSettings(String before, Map<String, Json> fields) {
    this.before = before;
    this.fields = new LinkedHashMap<>(fields);
  }

  /**
   * The settings in a text, which may hold comments.
   *
   * @throws JsonException if it is not one JSON object
   */
  static JsonSettings parse(String text) {
    if (text.isBlank()) {
      return new JsonSettings("", Map.of());
    }
    Json json = JsonLayout.of(text).json();
    if (!json.isObject()) {
      throw new JsonException("it is no object", 0);
    }
    return new JsonSettings(text, json.fields());
  }

  /** Sets a value under two keys, such as a server under {@code mcpServers}. */
  JsonSettings put(String section, String name, Json value) {
    Map<String, Json> all = section(section);
    all.put(name, value);
    fields.put(section, object(all));
    return this;
  }

  /** Sets a value unless there is one. */
  JsonSettings putIfAbsent(String name, Json value) {
    fields.putIfAbsent(name, value);
    return this;
  }

  /** Adds an entry to an event's list, replacing our entries there. */
  JsonSettings hook(String event, Json entry) {
    Map<String, Json> hooks = section(HOOKS);
    List<Json> entries = new ArrayList<>();
    Json before = hooks.get(event);
    if (before != null) {
      entries.addAll(before.items());
    }
    entries.add(entry);
    hooks.put(event, Json.of(entries));
    fields.put(HOOKS, object(hooks));
    return this;
  }

  boolean hasHook(String event) {
    return section(HOOKS).containsKey(event);
  }

  /** Removes all our hooks. */
  JsonSettings withoutHooks() {
    Map<String, Json> hooks = new LinkedHashMap<>();
    section(HOOKS)
        .forEach((event, entries) -> {
          List<Json> others =
              entries.items().stream().filter(entry -> !isOurs(entry.toString())).toList();
          if (!others.isEmpty() || !entries.isArray()) {
            hooks.put(event, entries.isArray() ? Json.of(others) : entries);
          }
        });
    if (hooks.isEmpty()) {
      fields.remove(HOOKS);
    } else {
      fields.put(HOOKS, object(hooks));
    }
    return this;
  }

  private static boolean isOurs(String entry) {
    return entry.contains("\"server\":\"parley\"")
        || (entry.contains("parley") && entry.matches("(?s).*(parley'? hook |\\[\"hook\",).*"));
  }

  /** Removes a value under two keys. */
  JsonSettings without(String section, String name) {
    Map<String, Json> all = section(section);
    all.remove(name);
    if (all.isEmpty()) {
      fields.remove(section);
    } else {
      fields.put(section, object(all));
    }
    return this;
  }

  private Map<String, Json> section(String name) {
    Json value = fields.get(name);
    return value == null ? new LinkedHashMap<>() : new LinkedHashMap<>(value.fields());
  }

  private static Json object(Map<String, Json> fields) {
    Json.ObjectBuilder json = Json.object();
    fields.forEach(json::put);
    return json.build();
  }

  /** Whether only the format's required fields are left. */
  boolean isEmpty() {
    return fields.isEmpty() || fields.keySet().equals(Set.of("version"));
  }

  String text() {
    Json now = object(fields);
    return before.isEmpty() ? JsonText.of(now) : JsonChange.to(now, before);
  }
}
