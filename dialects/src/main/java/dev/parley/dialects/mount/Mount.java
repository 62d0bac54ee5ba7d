package dev.parley.dialects.mount;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.Prefix;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.filelog.trust.TrustedMount;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A foreign folder or file that belongs to the bus.
 *
 * @param name its name on the bus
 * @param topics where messages for nobody in particular go, and where they come from: everything,
 *     if its topics are the free topics of the bus
 */
public record Mount(String name, Dialect dialect, Path path, Prefix topics) {
  /** How the registry writes that the files' topics are those of the bus. */
  private static final String ALL = "";

  /** How people write the same. */
  private static final String EVERYTHING = "*";

  /** The topic above all its messages. Messages without a topic of their own go to it. */
  public Topic topic() {
    Topic root = topics.root();
    return root == null ? new Topic(dialect.usualTopic()) : root;
  }

  /** Its topics as people write them: a topic, or {@code *}. */
  public String shownTopics() {
    return topics.root() == null ? EVERYTHING : topic().name();
  }

  /** Parses what {@link #shownTopics} writes. */
  public static Prefix topicsNamed(String written) {
    return written.equals(EVERYTHING) ? Prefix.ALL : Prefix.of(written);
  }

  public Json toJson() {
    return Json.object()
        .put("name", name)
        .put("dialect", dialect.word())
        .put("path", path.toString())
        .put("topic", written())
        .build();
  }

  TrustedMount trusted() {
    return new TrustedMount(name, dialect.word(), path.toString(), written());
  }

  private String written() {
    Topic root = topics.root();
    return root == null ? ALL : root.name();
  }

  /** The mount of a registry entry; null if this program does not know its dialect. */
  static @Nullable Mount of(TrustedMount mount) {
    Dialect dialect = Dialect.find(mount.dialect());
    if (dialect == null || !isTopics(mount.topic()) || !Topic.isValid(mount.name())) {
      return null;
    }
    try {
      return new Mount(mount.name(), dialect, Path.of(mount.path()), prefix(mount.topic()));
    } catch (InvalidPathException e) {
      return null;
    }
  }

  private static boolean isTopics(String written) {
    return written.equals(ALL) || Topic.isValid(written);
  }

  private static Prefix prefix(String written) {
    return written.equals(ALL) ? Prefix.ALL : Prefix.of(written);
  }

  /** The mount that a line of the log describes; null if this program can't keep it. */
  static @Nullable Mount of(Fields fields) {
    return of(
        new TrustedMount(
            fields.text("name", ""),
            fields.text("dialect", ""),
            fields.text("path", ""),
            fields.text("topic", "")));
  }
}
