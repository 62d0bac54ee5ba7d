package dev.parley.dialects;

import dev.parley.core.Topic;
import java.nio.file.Path;
import java.util.List;

/** The files of a dialect whose messages are appended one after the other, and how it does that. */
public interface AppendedFiles<F> {
  /** A message and where it ends in what was read. */
  record Item<F>(F message, long end) {}

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

  /** Where messages of a file go that are for nobody in particular. */
  Topic topicOf(String name);

  /**
   * Reads the messages that are whole.
   *
   * @param linesBefore how many lines of the file stand before
   */
  List<Item<F>> read(byte[] added, int linesBefore, Remark.Sink remarks);

  /** The agents that a message of a file is for; nobody if it is for all to read. */
  List<String> to(String name, F message);

  /** The foreign id of what a message answers; empty if it does not. */
  String repliesTo(F message);

  /** The same message, answering what has this foreign id. */
  F answering(F message, String foreign);

  void append(String name, F message);
}
