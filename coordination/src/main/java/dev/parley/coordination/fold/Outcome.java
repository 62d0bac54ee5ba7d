package dev.parley.coordination.fold;

import dev.parley.core.json.Json;

/**
 * What a fold decided about an envelope that asked for something. All readers of the envelope come
 * to the same decision, with the same reason.
 */
public sealed interface Outcome {
  /** The request was accepted. */
  non-sealed interface Accepted extends Outcome {
    /** The decision, for programs. */
    Json what();
  }

  /**
   * The request was refused, and nothing has changed. It holds data only: the {@code text} package
   * of the library makes sentences of it.
   *
   * @param code a stable name for the reason
   * @param details for example the holder that is in the way, until when, which cycle, which limit
   */
  record Refused(String code, Json details) implements Outcome {}

  /** Accepted, with nothing but its details. */
  record Written(Json what) implements Accepted {}

  /** The outcome of an envelope that asks for nothing. */
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
