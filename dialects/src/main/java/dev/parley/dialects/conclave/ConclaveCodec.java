package dev.parley.dialects.conclave;

import dev.parley.core.Envelope;
import dev.parley.core.Prefix;
import dev.parley.core.json.Json;
import dev.parley.dialects.message.JsonLine;
import dev.parley.dialects.message.JsonLineCodec;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Conclave's envelopes have the first seven fields of ours. */
public final class ConclaveCodec extends JsonLineCodec {
  public static final String DIALECT = "conclave";

  private static final Pattern OURS = Pattern.compile("[a-z2-7]{16}-[0-9]+");

  private final ConclaveTopics topics;

  /**
   * @param scope the prefix of Conclave's topics on the bus
   */
  public ConclaveCodec(Prefix scope) {
    super(DIALECT, "sender");
    this.topics = new ConclaveTopics(scope);
  }

  /**
   * Conclave's ids are a process id and a counter. They repeat, so the time is part of the id here.
   */
  @Override
  protected String id(JsonLine message) {
    String id = message.text("id", "");
    return OURS.matcher(id).matches() ? id : id + " " + message.text("timestamp", "");
  }

  @Override
  protected Json fresh(Envelope envelope) {
    Map<String, Json> fields = new LinkedHashMap<>();
    fields.put("id", Json.of(envelope.id()));
    fields.put("seq", Json.of(envelope.seq()));
    fields.put("timestamp", Json.of(envelope.timestamp()));
    fields.put("sender", Json.of(envelope.sender()));
    fields.put("topic", Json.of(topics.foreign(envelope.topic())));
    fields.put("type", Json.of(envelope.type()));
    fields.put("payload", envelope.payload());
    addressing(fields, envelope);
    return object(fields);
  }
}
