package dev.parley.coordination.mail;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.Envelope;
import dev.parley.core.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a message says: data, never an instruction.
 *
 * @param artifacts files or other things it speaks of
 * @param metadata an object with anything else; null if there is none
 * @param escalateTo who is told when it is not answered in time; null for the person in charge
 */
public record Content(
    String subject,
    String body,
    List<String> artifacts,
    @Nullable Json metadata,
    @Nullable String escalateTo) {
  static final Content EMPTY = new Content("", "", List.of(), null, null);

  public Content {
    artifacts = List.copyOf(artifacts);
  }

  Content says(String newSubject, String newBody) {
    return new Content(newSubject, newBody, artifacts, metadata, escalateTo);
  }

  Content metadata(@Nullable Json value) {
    return new Content(subject, body, artifacts, value, escalateTo);
  }

  Content artifacts(List<String> values) {
    return new Content(subject, body, values, metadata, escalateTo);
  }

  Content escalateTo(@Nullable String agent) {
    return new Content(subject, body, artifacts, metadata, agent);
  }

  /** What an envelope says; a payload of another form is shown as it is. */
  public static Content of(Envelope envelope) {
    Json payload = envelope.payload();
    Fields fields = Fields.of(payload);
    if (fields.text("body") == null && fields.text("subject") == null) {
      String text = payload.text();
      return EMPTY.says("", text != null ? text : shown(payload));
    }
    return new Content(
        fields.text("subject", ""),
        fields.text("body", ""),
        fields.texts("artifacts"),
        fields.json("metadata"),
        fields.text("escalateTo"));
  }

  private static String shown(Json payload) {
    return payload.equals(Json.EMPTY_OBJECT) || payload.equals(Json.NULL) ? "" : payload.toString();
  }

  Json toJson() {
    Json.ObjectBuilder json = Json.object().put("subject", subject).put("body", body);
    if (!artifacts.isEmpty()) {
      json.put("artifacts", Json.ofStrings(artifacts));
    }
    if (metadata != null) {
      json.put("metadata", metadata);
    }
    if (escalateTo != null) {
      json.put("escalateTo", escalateTo);
    }
    return json.build();
  }
}
