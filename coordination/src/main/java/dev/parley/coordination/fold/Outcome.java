package dev.parley.coordination.fold;

import dev.parley.core.json.Json;

/**
 * What a fold decided about an envelope that asked for something. Everyone who reads the envelope
 * comes to the same, also about the reason.
 */
public sealed interface Outcome {
  /** It is so. */
  non-sealed interface Accepted extends Outcome {
    /** What was decided, for programs. */
    Json what();
  }

  /**
   * It is not so, and nothing has changed. This holds no sentence: the {@code text} package of the
   * library makes words of it.
   *
   * @param code a stable name for the reason
   * @param details who or what is in the way, until when, which circle, which bound
   */
  record Refused(String code, Json details) implements Outcome {}

  /** Accepted, and written down at once. */
  record Written(Json what) implements Accepted {}

  /** Of an envelope that asked for nothing. */
  static Outcome none() {
    return new Written(Json.EMPTY_OBJECT);
  }

  static Outcome accepted(Json.ObjectBuilder what) {
    return new Written(what.build());
  }

  static Outcome refused(String code) {
    return new Refused(code, Json.EMPTY_OBJECT);
  }

  static Outcome refused(String code, Json.ObjectBuilder details) {
    return new Refused(code, details.build());
  }

  default boolean isAccepted() {
    return this instanceof Accepted;
  }
}
