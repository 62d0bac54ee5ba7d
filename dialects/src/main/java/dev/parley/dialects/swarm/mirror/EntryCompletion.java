package dev.parley.dialects.swarm.mirror;

import dev.parley.core.json.Json;
import dev.parley.dialects.file.Fingerprint;
import dev.parley.dialects.swarm.SendMessageInput;
import dev.parley.dialects.swarm.SwarmMessage;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an entry of an outbox gets that somebody wrote by hand with less than a message needs.
 *
 * <pre>
 * id, timestamp      new ones
 * from               whose outbox it is
 * to                 the orchestrator, unless it is the orchestrator's own
 * priority           normal
 * requiresResponse   false
 * content            what is missing of subject and body: an empty text
 * </pre>
 *
 * <p>A field that is there and is not as it should be stays, and so the entry stays no message.
 */
final class EntryCompletion {
  private static final String ORCHESTRATOR = "orchestrator";

  private EntryCompletion() {}

  /** The entry as a message; null if it is one, or this can't make it one. */
  static @Nullable Json of(Json item, String agent) {
    if (!item.isObject() || SwarmMessage.problem(item) == null) {
      return null;
    }
    Map<String, Json> fields = new LinkedHashMap<>();
    fields.put("id", Json.of(Fingerprint.unique()));
    fields.put("timestamp", Json.of(SendMessageInput.MILLIS.format(Instant.now())));
    fields.put("from", Json.of(agent));
    if (!agent.equals(ORCHESTRATOR)) {
      fields.put("to", Json.of(ORCHESTRATOR));
    }
    item.fields()
        .forEach((name, value) -> {
          if (!fields.containsKey(name) || !isBlank(value)) {
            fields.put(name, value);
          }
        });
    if (isBlank(fields.get("priority"))) {
      fields.put("priority", Json.of("normal"));
    }
    fields.computeIfPresent("content", (name, content) -> content(content));
    if (isBlank(fields.get("requiresResponse"))) {
      fields.put("requiresResponse", Json.of(false));
    }
    Json complete = object(fields);
    return SwarmMessage.problem(complete) == null ? complete : null;
  }

  private static Json content(Json content) {
    if (!content.isObject()) {
      return content;
    }
    Map<String, Json> fields = new LinkedHashMap<>(content.fields());
    boolean says = fields.containsKey("subject") || fields.containsKey("body");
    if (says) {
      fields.putIfAbsent("subject", Json.of(""));
      fields.putIfAbsent("body", Json.of(""));
    }
    return object(fields);
  }

  /** The same entry under an id that nothing has had before. */
  static Json renamed(Json item) {
    Map<String, Json> fields = new LinkedHashMap<>(item.fields());
    fields.put("id", Json.of(Fingerprint.unique()));
    return object(fields);
  }

  private static Json object(Map<String, Json> fields) {
    Json.ObjectBuilder json = Json.object();
    fields.forEach(json::put);
    return json.build();
  }

  private static boolean isBlank(@Nullable Json value) {
    return value == null || value.equals(Json.NULL) || "".equals(value.text());
  }
}
