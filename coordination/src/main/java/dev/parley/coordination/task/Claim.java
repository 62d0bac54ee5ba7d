package dev.parley.coordination.task;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Request;
import dev.parley.core.Timestamps;
import dev.parley.core.json.Json;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Who works on a task, or did last.
 *
 * @param token the position of the envelope that claimed it; 0 if nobody ever did
 * @param session the session that works on it; null if none does
 * @param progress in percent; -1 if nobody said
 * @param blockedOn what its owner waits for
 * @param ttl how long its owner may say nothing about the task; null if any sign of life will do
 * @param until when the claim ends unless something is said, in the ledger's time
 */
public record Claim(
    long token,
    @Nullable String owner,
    @Nullable String session,
    int progress,
    @Nullable String blockedOn,
    @Nullable Duration ttl,
    @Nullable Instant until) {

  public static final Duration LEAST_TTL = Duration.ofSeconds(1);
  public static final Duration MOST_TTL = Duration.ofDays(7);

  static final Claim NONE = new Claim(0, null, null, -1, null, null, null);

  static Claim of(Request request) {
    Duration ttl =
        request.payload().json("ttl") == null
            ? null
            : request.seconds("ttl", MOST_TTL, LEAST_TTL, MOST_TTL);
    return new Claim(request.position(), request.name(), request.session(), -1, null, ttl, null)
        .heard(request.now());
  }

  /** Something was said about the task. */
  private Claim heard(Instant now) {
    return new Claim(
        token, owner, session, progress, blockedOn, ttl, ttl == null ? null : now.plus(ttl));
  }

  Claim ended() {
    return new Claim(token, owner, null, progress, null, null, null);
  }

  Claim at(int percent, Instant now) {
    return new Claim(token, owner, session, percent, null, ttl, null).heard(now);
  }

  Claim blockedOn(String what, Instant now) {
    return new Claim(token, owner, session, progress, what, ttl, null).heard(now);
  }

  Claim movedBack(Duration by) {
    return new Claim(
        token, owner, session, progress, blockedOn, ttl, until == null ? null : until.minus(by));
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
    if (ttl != null) {
      json.put("ttl", ttl.toSeconds());
    }
    if (until != null) {
      json.put("until", Timestamps.format(until));
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
        claim.text("blockedOn"),
        claim.json("ttl") == null ? null : Duration.ofSeconds(claim.number("ttl", 0)),
        claim.time("until"));
  }
}
