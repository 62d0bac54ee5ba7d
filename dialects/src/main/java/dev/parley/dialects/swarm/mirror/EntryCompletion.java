package dev.parley.dialects.swarm.mirror;

import dev.parley.core.json.Json;
import dev.parley.dialects.file.Fingerprint;
import dev.parley.dialects.file.IndentedJson;
import dev.parley.dialects.swarm.MessageIds;
import dev.parley.dialects.swarm.SendMessageInput;
import dev.parley.dialects.swarm.SwarmMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Completes entries of an outbox that were written by hand and lack fields.
 *
 * <pre>
 * missing            completed with
 * -----------------  ------------------------------------------------------
 * id                 an id of ours, see below
 * timestamp          the present time
 * from               the agent whose outbox it is
 * to                 the orchestrator, except in the orchestrator's own outbox
 * priority           normal
 * requiresResponse   false
 * content            an empty subject or body
 * </pre>
 *
 * <p>A malformed field is not corrected, so its entry stays invalid.
 *
 * <p>An id of ours is a function of the entry's text and of the number of equal entries before it.
 * An agent may overwrite its outbox from memory, without our completions. Its entries then get the
 * same ids again, so they are not delivered twice. One case is ambiguous: an outbox with a single
 * entry, equal to one delivered before, is either the old list or a new message with the same text.
 * Losing a message is worse than delivering it twice, so it is delivered again, under an id that
 * depends on the time at which the outbox was written.
 */
final class EntryCompletion {
  private static final String ORCHESTRATOR = "orchestrator";

  private EntryCompletion() {}

  /**
   * The entries of an outbox that can be completed, each with the messages that its copies become.
   *
   * @param isDelivered whether a message with this id was delivered before
   * @param written when the outbox was written
   */
  static Map<Json, List<Json>> of(
      List<Json> items, String agent, Predicate<String> isDelivered, long written) {
    Map<Json, List<Json>> completed = new HashMap<>();
    for (Json item : items) {
      if (item.isObject() && SwarmMessage.problem(item) != null) {
        List<Json> copies = completed.getOrDefault(item, new ArrayList<>());
        String id = id(agent, item, copies.size());
        if (items.size() == 1 && isDelivered.test(id)) {
          id = id(agent, item, written);
        }
        Json message = message(item, agent, id);
        if (message != null) {
          copies.add(message);
          completed.put(item, copies);
        }
      }
    }
    return completed;
  }

  private static String id(String agent, Json item, long number) {
    String text = agent + "\n" + number + "\n" + IndentedJson.text(item, 0);
    return Fingerprint.hex(text, MessageIds.OUR_LENGTH);
  }

  private static @Nullable Json message(Json item, String agent, String id) {
    Map<String, Json> fields = new LinkedHashMap<>();
    fields.put("id", Json.of(id));
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

  /** The same message under one of our ids, which depends on the message's content. */
  static Json renamed(Json item) {
    String mark = new SwarmMessage(item).mark();
    Map<String, Json> fields = new LinkedHashMap<>(item.fields());
    fields.put("id", Json.of(Fingerprint.hex("renamed\n" + mark, MessageIds.OUR_LENGTH)));
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
