package dev.parley.coordination.task;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * Who works on a task, or did last.
 *
 * @param token the position of the envelope that claimed it; 0 if nobody ever did
 * @param session the session that works on it; null if none does
 * @param progress in percent; -1 if nobody said
 * @param blockedOn what its owner waits for
 */
public record Claim(
    long token,
    @Nullable String owner,
    @Nullable String session,
    int progress,
    @Nullable String blockedOn) {

  static final Claim NONE = new Claim(0, null, null, -1, null);

  Claim ended() {
    return new Claim(token, owner, null, progress, null);
  }

  Claim at(int percent) {
    return new Claim(token, owner, session, percent, null);
  }

  Claim blockedOn(String what) {
    return new Claim(token, owner, session, progress, what);
  }

  Json save() {
    Json.ObjectBuilder json = Json.object().put("token", token).put("progress", progress);
    if (owner != null) {
      json.put("owner", owner);
    }
    if (session != null) {
      json.put("session", session);
    }
    if (blockedOn != null) {
      json.put("blockedOn", blockedOn);
    }
    return json.build();
  }

  static Claim load(@Nullable Json saved) {
    if (saved == null) {
      return NONE;
    }
    Fields claim = Fields.of(saved);
    return new Claim(
        claim.number("token", 0),
        claim.text("owner"),
        claim.text("session"),
        (int) claim.number("progress", -1),
        claim.text("blockedOn"));
  }
}
