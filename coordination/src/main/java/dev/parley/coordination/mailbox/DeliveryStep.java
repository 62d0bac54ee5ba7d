package dev.parley.coordination.mailbox;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.StoredTimes;
import dev.parley.core.Envelope;
import dev.parley.core.json.Json;
import dev.parley.core.time.Timestamps;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One step in the delivery of a message: the state it reached, and the envelope that proves it.
 *
 * @param at when; null if a foreign line has no time
 * @param proof the position of that envelope, as {@code topic@position}
 * @param session the session that took the step; null if none did
 * @param note how or why, in a few words
 */
public record DeliveryStep(
    DeliveryState state,
    @Nullable Instant at,
    String proof,
    @Nullable String session,
    @Nullable String note) {

  static DeliveryStep of(
      DeliveryState state, Envelope proof, @Nullable String session, @Nullable String note) {
    return new DeliveryStep(
        state, StoredTimes.kept(proof.time()), proof.position().in(proof.topic()), session, note);
  }

  /** The JSON that is shown and saved. */
  public Json toJson() {
    Json.ObjectBuilder json = Json.object().put("state", state.word());
    if (at != null) {
      json.put("at", Timestamps.format(at));
    }
    json.put("proof", proof);
    if (session != null) {
      json.put("session", session);
    }
    if (note != null) {
      json.put("note", note);
    }
    return json.build();
  }

  static DeliveryStep load(Fields saved) {
    return new DeliveryStep(
        DeliveryState.valueOf(saved.text("state", "").toUpperCase(Locale.ROOT)),
        saved.time("at"),
        saved.text("proof", ""),
        saved.text("session"),
        saved.text("note"));
  }
}
