package dev.parley.dialects.message;

import dev.parley.core.Message;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message found in a foreign file. What it says is found out when it is asked for. */
public interface ForeignMessage {
  /** What it is called in its dialect. */
  String id();

  /** Where it ends in what was read. */
  long end();

  /** What its envelope says. */
  Message.Builder message();

  /** Finds out ahead, by another thread, what {@link #message} will be asked for. */
  default void prepare() {}

  /** The agents it is for; nobody if it is for all to read. */
  List<String> to();

  /**
   * The names of its fields as they stand there, for messages of which all is kept beside the log;
   * empty if its form has an order of its own.
   */
  default List<String> order() {
    return List.of();
  }

  /** The foreign id of what it answers; null if it answers nothing. */
  @Nullable String repliesTo();

  /**
   * What reading a part of a file gave.
   *
   * @param end how far it was read: what follows is not whole yet
   */
  record Found<T>(List<T> messages, long end) {}
}
