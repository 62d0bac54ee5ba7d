package dev.parley.dialects.gear;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;
import dev.parley.core.json.JsonException;
import dev.parley.dialects.file.Fingerprint;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One message in Gear's format.
 *
 * @param messageType see {@link MessageType}; unknown types are passed on
 * @param timestamp as written, usually local time without a zone
 * @param correlationId ties replies to the messages they answer
 * @param more fields that Gear does not name
 */
public record AgentMessage(
    String messageId,
    String messageType,
    String fromAgent,
    String toAgent,
    String timestamp,
    Json payload,
    @Nullable String correlationId,
    boolean requiresResponse,
    Map<String, Json> more) {
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS");

  private static final String NO_RESPONSE = "no_response";

  private static final List<String> NAMES =
      List.of(
          "message_id",
          "message_type",
          "from_agent",
          "to_agent",
          "payload",
          "requires_response",
          "correlation_id",
          "timestamp");

  public AgentMessage {
    more = Collections.unmodifiableMap(new LinkedHashMap<>(more));
  }

  /** A time in Gear's format: always with seconds, and as many decimals as Gear can read. */
  static String timestamp(LocalDateTime time) {
    return MICROS.format(time);
  }

  /** Whether this is a later message of the same conversation from the request's recipient. */
  boolean answers(AgentMessage request) {
    return correlationId != null
        && correlationId.equals(request.correlationId)
        && fromAgent.equals(request.toAgent)
        && toAgent.equals(request.fromAgent);
  }

  /**
   * The payload fields that the type requires and that are missing. The types of values are not
   * checked, and unknown types require nothing.
   */
  public List<String> missing() {
    MessageType type = MessageType.find(messageType);
    Fields fields = Fields.of(payload);
    return type == null
        ? List.of()
        : type.required().stream().filter(name -> fields.json(name) == null).toList();
  }

  public boolean is(MessageType type) {
    return messageType.equals(type.value());
  }

  /** A text in the payload; null if there is none of this name. */
  public @Nullable String text(String name) {
    return Fields.of(payload).text(name);
  }

  public Json toJson() {
    Json.ObjectBuilder json =
        Json.object()
            .put("message_id", messageId)
            .put("message_type", messageType)
            .put("from_agent", fromAgent)
            .put("to_agent", toAgent)
            .put("payload", payload)
            .put("requires_response", requiresResponse)
            .put("correlation_id", correlationId)
            .put("timestamp", timestamp);
    more.forEach(json::put);
    return json.build();
  }

  /**
   * Reads a message. Optional fields that are missing become empty.
   *
   * @throws JsonException if it is not an object with an id, a type, a sender and a recipient
   */
  public static AgentMessage parse(Json json) {
    Fields fields = Fields.of(json);
    Map<String, Json> more = new LinkedHashMap<>(fields.values());
    more.keySet().removeAll(NAMES);
    Json payload = fields.json("payload");
    return new AgentMessage(
        needed(fields, "message_id"),
        needed(fields, "message_type"),
        needed(fields, "from_agent"),
        needed(fields, "to_agent"),
        fields.text("timestamp", ""),
        payload == null ? Json.EMPTY_OBJECT : payload,
        fields.text("correlation_id"),
        fields.flag("requires_response"),
        more);
  }

  private static String needed(Fields fields, String name) {
    String text = fields.text(name);
    if (text == null || text.isEmpty()) {
      throw new JsonException("has no " + name, 0);
    }
    return text;
  }

  /** What its sender is told in the name of an agent that has not answered it in time. */
  AgentMessage silence(Duration within) {
    Json.ObjectBuilder error =
        Json.object()
            .put("error_type", NO_RESPONSE)
            .put("error_message", toAgent + " did not answer within " + within.toMillis() + " ms")
            .put("original_message_id", messageId);
    String task = text("task_id");
    if (task != null) {
      error.put("task_id", task);
    }
    return new AgentMessage(
        "msg_" + Fingerprint.hex(NO_RESPONSE + messageId, 32),
        MessageType.AGENT_ERROR.value(),
        /* fromAgent= */ toAgent,
        /* toAgent= */ fromAgent,
        timestamp(LocalDateTime.now(ZoneId.systemDefault())),
        error.build(),
        correlationId,
        false,
        Map.of());
  }

  /** A history in Gear's format: one array. */
  public static Json array(List<AgentMessage> messages) {
    return Json.of(messages.stream().map(AgentMessage::toJson).toList());
  }
}
