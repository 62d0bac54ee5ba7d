package dev.parley.core;

import org.jspecify.annotations.Nullable;

/**
 * Where an envelope ends in its topic. It only grows; 0 is before the first envelope.
 *
 * <p>What the number counts is the log's business (bytes in a file, messages in memory). Positions
 * of two topics say nothing about each other.
 */
public record Position(long value) implements Comparable<Position> {
  public static final Position START = new Position(0);

  public Position {
    if (value < 0) {
      throw new IllegalArgumentException("a position is not negative: " + value);
    }
  }

  /** How a position is written for people and programs: {@code topic@n}. */
  public String in(Topic topic) {
    return topic.name() + "@" + value;
  }

  // Written out, here and in Bookmark: what the compiler adds to a record is put together when it
  // is first called, which takes a command longer than its work.
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Position position && position.value == value;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(value);
  }

  @Override
  public int compareTo(Position other) {
    return Long.compare(value, other.value);
  }
}
