package dev.parley.core;

import org.jspecify.annotations.Nullable;

/**
 * A position together with the proof that the topic before it is still the one that was read.
 *
 * <p>A log checks the proof whenever there is something to read from here: a topic that was
 * replaced, cut or put back from a copy since is noticed ({@link LostPlaceException}) instead of
 * being read from the middle of something else. What the proof is made of is the log's business.
 *
 * @param proof 0 if there is none: then only the position itself is checked
 */
public record Bookmark(Position position, long proof) {
  /** Before everything. */
  public static final Bookmark START = new Bookmark(Position.START, 0);

  /** A place that someone named, without proof. */
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
