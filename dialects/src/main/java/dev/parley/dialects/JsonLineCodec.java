package dev.parley.dialects;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.AgentName;
import dev.parley.core.Envelope;
import dev.parley.core.Message;
import dev.parley.core.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Messages that are one JSON object a line, with an id, a type, a sender and a payload.
 *
 * <p>Agents may add {@code to}, {@code thread} and {@code replyTo}, as our own envelopes have them:
 * so a message can be for somebody in designs that know no recipients.
 */
public abstract class JsonLineCodec implements Codec<Json> {
  private final String dialect;
  private final String senderName;

  /**
   * @param senderName what the design calls the sender's field
   */
  protected JsonLineCodec(String dialect, String senderName) {
    this.dialect = dialect;
    this.senderName = senderName;
  }

  /** The message that an envelope of another origin becomes. */
  protected abstract Json fresh(Envelope envelope);

  @Override
  public Message.Builder toLog(Json message) {
    Fields fields = Fields.of(message);
    Map<String, Json> rest = new LinkedHashMap<>(fields.values());
    String sender = Origin.sender(fields.text(senderName, ""), dialect);
    rest.remove(senderName, Json.of(sender));
    String type = fields.text("type", "");
    String known = type.isEmpty() || type.length() > Message.MAX_TYPE ? "message" : type;
    rest.remove("type", Json.of(known));
    rest.remove("id");
    Json payload = rest.remove("payload");
    Message.Builder envelope =
        Message.builder(sender, known)
            .payload(payload == null ? Json.NULL : payload)
            .thread(fields.text("thread"))
            .replyTo(fields.text("replyTo"))
            .to(to(message).stream().filter(AgentName::isValid).toList());
    new Origin(dialect, fields.text("id", ""), rest).into(envelope);
    return envelope;
  }

  /** The agents that a message names. */
  public static List<String> to(Json message) {
    Fields fields = Fields.of(message);
    String one = fields.text("to");
    return one != null ? List.of(one) : fields.texts("to");
  }

  /** The foreign id of what a message answers; empty if it answers nothing. */
  public static String repliesTo(Json message) {
    return Objects.requireNonNullElse(Fields.of(message).text("replyTo"), "");
  }

  @Override
  public Json fromLog(Envelope envelope) {
    Origin origin = Origin.of(envelope, dialect);
    if (origin == null) {
      return fresh(envelope);
    }
    Map<String, Json> fields = new LinkedHashMap<>();
    fields.put("id", Json.of(origin.id()));
    fields.putAll(origin.rest());
    fields.putIfAbsent(senderName, Json.of(envelope.sender()));
    fields.putIfAbsent("type", Json.of(envelope.type()));
    fields.put("payload", envelope.payload());
    return object(fields);
  }

  /** What an envelope says beside what the design knows. */
  protected static void addressing(Map<String, Json> fields, Envelope envelope) {
    if (!envelope.to().isEmpty()) {
      fields.put("to", Json.ofStrings(envelope.to()));
    }
    put(fields, "thread", envelope.thread());
    put(fields, "replyTo", envelope.replyTo());
  }

  private static void put(Map<String, Json> fields, String name, @Nullable String value) {
    if (value != null) {
      fields.put(name, Json.of(value));
    }
  }

  /** The same message with a field of another value. */
  public static Json with(Json message, String name, Json value) {
    Map<String, Json> fields = new LinkedHashMap<>(message.fields());
    fields.put(name, value);
    return object(fields);
  }

  protected static Json object(Map<String, Json> fields) {
    Json.ObjectBuilder json = Json.object();
    fields.forEach(json::put);
    return json.build();
  }
}
