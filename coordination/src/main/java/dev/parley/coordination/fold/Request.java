package dev.parley.coordination.fold;

import dev.parley.core.Envelope;
import dev.parley.core.Position;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An envelope that asks a fold for a decision.
 *
 * @param after the position before the envelope: reading on from there gives it again
 * @param position the position of the envelope, which identifies the request
 * @param name the agent that asks
 * @param session the session that asks
 * @param now the time of its topic
 */
public record Request(
    long after,
    long position,
    String type,
    String name,
    String session,
    Fields payload,
    Instant now) {

  public static Request of(Envelope envelope, Position after, Instant now) {
    Fields payload = Fields.of(envelope.payload());
    return new Request(
        after.value(),
        envelope.position().value(),
        envelope.type(),
        envelope.sender(),
        payload.text("session", ""),
        payload,
        now);
  }

  public @Nullable String text(String field) {
    return payload.text(field);
  }

  /** A duration in seconds from the payload, clamped to a range. */
  public Duration seconds(String field, Duration otherwise, Duration least, Duration most) {
    long seconds = payload.number(field, otherwise.toSeconds());
    return Duration.ofSeconds(Math.clamp(seconds, least.toSeconds(), most.toSeconds()));
  }
}
