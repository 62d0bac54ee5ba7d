package dev.parley.dialects.append;

import dev.parley.core.Topic;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.message.Codec;
import dev.parley.dialects.message.ForeignMessage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A dialect's files whose messages are only ever appended, and how to append to them. */
public interface AppendedFiles<F> {
  Codec<F> codec();

  String id(F message);

  /** The folders where files may appear. */
  default List<Path> folders() {
    return List.of();
  }

  /** The names of the existing files. */
  List<String> names();

  Path path(String name);

  /** The file for the envelopes of a topic. */
  String fileOf(Topic topic);

  /**
   * Whether the messages in a topic are also to be pulled from its file into the file's own topic.
   */
  default boolean isAlias(Topic topic) {
    return false;
  }

  /** The topic for a file's messages that are for nobody in particular. */
  Topic topicOf(String name);

  /**
   * Reads the complete messages.
   *
   * @param linesBefore how many lines of the file come before
   */
  ForeignMessage.Found<ForeignMessage> read(
      String name, byte[] added, int linesBefore, FileRemark.Sink remarks);

  /**
   * Reads the last part of a file. Here a dialect may accept a message that its writer leaves
   * unfinished.
   */
  default ForeignMessage.Found<ForeignMessage> readLast(
      String name, byte[] added, int linesBefore, FileRemark.Sink remarks) {
    return read(name, added, linesBefore, remarks);
  }

  /** The same message as a reply to the message with this foreign id. */
  F answering(F message, String foreign);

  void append(String name, F message);

  /** Whether the bytes after the last message are, or will be, another message. */
  default boolean isMore(byte[] behind) {
    return !new String(behind, StandardCharsets.UTF_8).isBlank();
  }

  /** What a message says in vain, although it is taken into the log; null if nothing. */
  default @Nullable String ignored(ForeignMessage message) {
    return null;
  }

  /** Reports what is present but never read. */
  default void examine(Consumer<FileRemark> found) {}

  /** Called after another program's message was taken into the log, or will be in this pass. */
  default void pulled(ForeignMessage message) {}

  /**
   * Called when a message is in its file already: an interrupted pass put it there, but perhaps did
   * not finish the steps that follow.
   */
  default void appended(F message) {}
}
