package dev.parley.dialects.conductor;

import dev.parley.core.Envelope;
import dev.parley.core.json.Json;
import dev.parley.dialects.file.Fingerprint;
import dev.parley.dialects.message.JsonLine;
import dev.parley.dialects.message.JsonLineCodec;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Converts messages of the form {@code {id: msg-<uuid>, type, source, timestamp, payload}}. */
public final class ConductorCodec extends JsonLineCodec {
  public static final String DIALECT = "conductor";

  public ConductorCodec() {
    super(DIALECT, "source");
  }

  /** Hand-written messages may have no id. */
  @Override
  protected String id(JsonLine message) {
    String id = message.text("id");
    return id != null ? id : message.text("timestamp", "") + " " + message.text("source", "");
  }

  @Override
  protected Json fresh(Envelope envelope) {
    String unique = envelope.id().isEmpty() ? envelope.toString() : envelope.id();
    Map<String, Json> fields = new LinkedHashMap<>();
    fields.put("id", Json.of("msg-" + Fingerprint.uuid(unique)));
    fields.put("type", Json.of(wordFor(envelope.type())));
    fields.put("source", Json.of(envelope.sender()));
    fields.put("timestamp", Json.of(envelope.timestamp()));
    Json payload = envelope.payload();
    fields.put(
        "payload", payload.isObject() ? payload : Json.object().put("value", payload).build());
    addressing(fields, envelope);
    return object(fields);
  }

  /**
   * Conductor's name for an envelope's type. A type that Conductor lacks is written in its style:
   * {@code LIKE_THIS}.
   */
  private static String wordFor(String type) {
    return switch (type) {
      case "status" -> "PROGRESS";
      case "result", "task_completed" -> "TASK_COMPLETE";
      case "error", "agent_error" -> "TASK_FAILED";
      default -> type.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    };
  }
}
