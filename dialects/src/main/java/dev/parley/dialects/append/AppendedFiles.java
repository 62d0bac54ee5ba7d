package dev.parley.dialects.append;

import dev.parley.core.Topic;
import dev.parley.dialects.file.FileRemark;
import dev.parley.dialects.message.Codec;
import dev.parley.dialects.message.ForeignMessage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** The files of a dialect whose messages are appended one after the other, and how it does that. */
public interface AppendedFiles<F> {
  Codec<F> codec();

  String id(F message);

  /** Where files may come into being. */
  default List<Path> folders() {
    return List.of();
  }

  /** The names of the files that there are. */
  List<String> names();

  Path path(String name);

  /** The file that envelopes of a topic go to, and mail if it is not given. */
  String fileOf(Topic topic);

  /** Whether what a topic has for its file is to be pulled from there into the file's own topic. */
  default boolean isAlias(Topic topic) {
    return false;
  }

  /** Where messages of a file go that are for nobody in particular. */
  Topic topicOf(String name);

  /**
   * Reads the messages that are whole.
   *
   * @param linesBefore how many lines of the file stand before
   */
  ForeignMessage.Found<ForeignMessage> read(
      String name, byte[] added, int linesBefore, FileRemark.Sink remarks);

  /**
   * The same, of the last part of a file: what its writer leaves unfinished may be taken as it is.
   */
  default ForeignMessage.Found<ForeignMessage> readLast(
      String name, byte[] added, int linesBefore, FileRemark.Sink remarks) {
    return read(name, added, linesBefore, remarks);
  }

  /** The same message, answering what has this foreign id. */
  F answering(F message, String foreign);

  void append(String name, F message);

  /** Whether what stands behind the last message that was read is, or will be, another one. */
  default boolean isMore(byte[] behind) {
    return !new String(behind, StandardCharsets.UTF_8).isBlank();
  }

  /** Says what is there and is not read at all. */
  default void examine(Consumer<FileRemark> found) {}

  /** A message of somebody else was taken into the log, or will be in this pass. */
  default void pulled(ForeignMessage message) {}

  /**
   * A message stands in its file already: a pass that was interrupted put it there, and perhaps did
   * not come to what belongs to that.
   */
  default void appended(F message) {}
}
