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
   * It is not so, and nothing has changed.
   *
   * @param code a stable name for the reason
   * @param details who or what is in the way, for programs
   */
  record Refused(String code, String message, String next, Json details) implements Outcome {}

  /** Accepted, and written down at once. */
  record Written(Json what) implements Accepted {}

  /** Of an envelope that asked for nothing. */
  static Outcome none() {
    return new Written(Json.EMPTY_OBJECT);
  }

  static Outcome accepted(Json.ObjectBuilder what) {
    return new Written(what.build());
  }

  static Outcome refused(String code, String message, String next) {
    return new Refused(code, message, next, Json.EMPTY_OBJECT);
  }

  static Outcome refused(String code, String message, String next, Json.ObjectBuilder details) {
    return new Refused(code, message, next, details.build());
  }

  default boolean isAccepted() {
    return this instanceof Accepted;
  }
}
