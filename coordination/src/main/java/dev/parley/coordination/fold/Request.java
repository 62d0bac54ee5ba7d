package dev.parley.coordination.fold;

import dev.parley.core.Envelope;
import dev.parley.core.Position;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An envelope that asks a fold to decide something.
 *
 * @param after where the one before it ends: reading on from there gives it again
 * @param position where it ends, which is what it is known by
 * @param name who asks
 * @param session the session that asks, which has the name
 * @param now the time in its topic
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

  /** A duration in seconds, brought between two others. */
  public Duration seconds(String field, Duration otherwise, Duration least, Duration most) {
    long seconds = payload.number(field, otherwise.toSeconds());
    return Duration.ofSeconds(Math.clamp(seconds, least.toSeconds(), most.toSeconds()));
  }
}
