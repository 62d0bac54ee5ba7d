package dev.parley.dialects.swarm;

import dev.parley.core.json.Json;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A message without id and time, which the bus adds. Immutable: each method returns a copy. */
public record SendMessageInput(
    String from,
    String to,
    String type,
    String priority,
    Json content,
    @Nullable String threadId,
    boolean requiresResponse,
    @Nullable String deadline,
    @Nullable String sessionId) {
  public static final DateTimeFormatter MILLIS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  /** A message of normal priority, in no thread, that expects no reply. */
  public SendMessageInput(String from, String to, String type, Json content) {
    this(from, to, type, "normal", content, null, false, null, null);
  }

  public static SendMessageInput of(
      String from, String to, String type, String subject, String body) {
    Json content = Json.object().put("subject", subject).put("body", body).build();
    return new SendMessageInput(from, to, type, content);
  }

  public SendMessageInput in(@Nullable String thread) {
    return new SendMessageInput(
        from, to, type, priority, content, thread, requiresResponse, deadline, sessionId);
  }

  public SendMessageInput priority(String value) {
    return new SendMessageInput(
        from, to, type, value, content, threadId, requiresResponse, deadline, sessionId);
  }

  /** The same message, expecting a reply. */
  public SendMessageInput asking() {
    return new SendMessageInput(
        from, to, type, priority, content, threadId, true, deadline, sessionId);
  }

  public SendMessageInput until(String time) {
    return new SendMessageInput(
        from, to, type, priority, content, threadId, requiresResponse, time, sessionId);
  }

  /** The same message with one more text in its metadata. */
  SendMessageInput with(String name, String value) {
    Map<String, Json> fields = new LinkedHashMap<>(content.fields());
    fields.put("metadata", Json.object().put(name, value).build());
    Json.ObjectBuilder json = Json.object();
    fields.forEach(json::put);
    return new SendMessageInput(
        from, to, type, priority, json.build(), threadId, requiresResponse, deadline, sessionId);
  }

  SwarmMessage message(String id, Instant now) {
    Json.ObjectBuilder json =
        Json.object()
            .put("id", id)
            .put("timestamp", MILLIS.format(now))
            .put("from", from)
            .put("to", to)
            .put("type", type)
            .put("priority", priority)
            .put("content", content);
    if (threadId != null) {
      json.put("threadId", threadId);
    }
    json.put("requiresResponse", requiresResponse);
    if (deadline != null) {
      json.put("deadline", deadline);
    }
    return new SwarmMessage(json.build());
  }
}
