package dev.parley.core;

import org.jspecify.annotations.Nullable;

/**
 * A position together with the proof that the topic before it is still the one that was read.
 *
 * <p>A log checks the proof whenever there is something to read from here. So a reader notices that
 * a topic was replaced, cut or restored from a copy ({@link LostPlaceException}) and does not read
 * on in the middle of something else. Each log defines its own proof.
 *
 * @param proof 0 if there is none: then only the position itself is checked
 */
public record Bookmark(Position position, long proof) {
  /** Before everything. */
  public static final Bookmark START = new Bookmark(Position.START, 0);

  /** A position without a proof, such as one that a user named. */
  public static Bookmark at(Position position) {
    return new Bookmark(position, 0);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Bookmark bookmark
        && bookmark.position.equals(position)
        && bookmark.proof == proof;
  }

  @Override
  public int hashCode() {
    return 31 * position.hashCode() + Long.hashCode(proof);
  }
}
