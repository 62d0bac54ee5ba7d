package dev.parley.dialects.message;

import dev.parley.core.Message;
import dev.parley.filelog.ImportLimits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message found in a foreign file. It is parsed when {@link #message} is called. */
public interface ForeignMessage {
  /** Its id in its dialect. */
  String id();

  /** Why a message with this id is not taken; null if its id is short enough. */
  static @Nullable String tooLong(String id, ImportLimits limits) {
    return id.length() <= limits.id()
        ? null
        : "the id of a message has "
            + id.length()
            + " characters; this bus takes at most "
            + limits.id()
            + " (maxForeignId)";
  }

  /** The offset of its end in what was read. */
  long end();

  /** The content of its envelope. */
  Message.Builder message();

  /** Parses the message ahead, in another thread. */
  default void prepare() {}

  /** The recipients; empty if it is for everyone to read. */
  List<String> to();

  /**
   * The names of its fields in the order in which they were written. Needed for messages whose full
   * content is kept beside the log; empty if the format fixes the order.
   */
  default List<String> order() {
    return List.of();
  }

  /** The foreign id of the message it answers; null if it answers none. */
  @Nullable String repliesTo();

  /**
   * The messages in a part of a file.
   *
   * @param end how far it was read; what follows is not complete yet
   */
  record Found<T>(List<T> messages, long end) {}
}
