package dev.parley.core.bus;

import dev.parley.core.Bookmark;
import dev.parley.core.Position;
import dev.parley.core.Topic;
import java.util.Map;

/** Where a feed or subscription begins. */
public sealed interface FeedStart {
  /** With the first envelope of every topic: the whole backlog. */
  FeedStart BEGINNING = new Beginning();

  /** With what is appended from now on. Topics that come into being later are read whole. */
  FeedStart END = new End();

  /** After a position of one topic; other topics from their beginning. */
  static FeedStart after(Topic topic, Position position) {
    return new After(Map.of(topic, Bookmark.at(position)));
  }

  /** After some places; topics without one from their beginning. */
  static FeedStart after(Map<Topic, Bookmark> places) {
    return new After(Map.copyOf(places));
  }

  /** Where the cursor of this name was left; at the beginning if there is none yet. */
  static FeedStart cursor(String name) {
    return new Cursor(name);
  }

  /** See {@link #BEGINNING}. */
  record Beginning() implements FeedStart {}

  /** See {@link #END}. */
  record End() implements FeedStart {}

  /** See {@link #after(Map)}. */
  record After(Map<Topic, Bookmark> places) implements FeedStart {}

  /** See {@link #cursor}. */
  record Cursor(String name) implements FeedStart {}
}
