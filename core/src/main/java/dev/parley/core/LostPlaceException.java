package dev.parley.core;

/** A bookmark does not belong to the topic as it is now: it was replaced, cut or recreated. */
public final class LostPlaceException extends ParleyException {
  private static final long serialVersionUID = 1L;

  public LostPlaceException(Topic topic, Position position, String reason) {
    super(
        Kind.REFUSED,
        "lost-place",
        position.in(topic) + " is not a place in this topic: " + reason + ".",
        "Read the topic again from the start.");
  }
}
