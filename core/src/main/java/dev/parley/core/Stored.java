package dev.parley.core;

import dev.parley.core.writer.WriterId;

/**
 * The answer to an append: the message is in the log, ending at this position.
 *
 * @param writer who appended it
 * @param number the number of the message among all the writer's messages
 * @param seq its number among the writer's messages in this topic
 * @param length how far before its position it begins
 */
public record Stored(
    Topic topic, WriterId writer, long number, long seq, Position position, int length) {
  /** The envelope's id. Computed on demand, because most publishers never need it. */
  public String id() {
    return writer.id(number);
  }
}
