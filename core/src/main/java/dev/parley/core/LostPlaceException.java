package dev.parley.core;

import dev.parley.core.json.Json;

/** A bookmark does not belong to the topic as it is now: it was replaced, cut or recreated. */
public final class LostPlaceException extends ParleyException {
  private static final long serialVersionUID = 1L;

  /** Why the place is lost: its code is in the details. */
  public enum Problem {
    /** The bookmark is of another log. */
    OTHER_LOG("other-log"),
    NO_TOPIC("no-topic"),
    /** The topic ends before the place. */
    PAST_END("past-end"),
    /** The place is within a line. */
    WITHIN_LINE("within-line"),
    /** Another topic has its name since it was read. */
    REPLACED("replaced");

    private final String code;

    Problem(String code) {
      this.code = code;
    }
  }

  public LostPlaceException(Topic topic, Position position, Problem problem) {
    this(Json.object(), topic, position, problem);
  }

  /** The error for a place after the end of a topic. */
  public LostPlaceException(Topic topic, Position position, Position end) {
    this(Json.object().put("end", end.value()), topic, position, Problem.PAST_END);
  }

  private LostPlaceException(
      Json.ObjectBuilder details, Topic topic, Position position, Problem problem) {
    super(
        Kind.REFUSED,
        "lost-place",
        details.put("place", position.in(topic)).put("problem", problem.code).build(),
        null);
  }
}
