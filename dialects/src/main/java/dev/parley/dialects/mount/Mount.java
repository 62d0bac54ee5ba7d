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
 * @param name what it is called on the bus
 * @param topics where its messages go that are for nobody in particular, and from where they come:
 *     everything, if its topics are the free topics of the bus
 */
public record Mount(String name, Dialect dialect, Path path, Prefix topics) {
  /** How the registry writes that the topics of the files are those of the bus. */
  private static final String ALL = "";

  /** How people write the same. */
  private static final String EVERYTHING = "*";

  /** The topic that its messages lie under, and those go to that are in no topic of their own. */
  public Topic topic() {
    Topic root = topics.root();
    return root == null ? new Topic(dialect.usualTopic()) : root;
  }

  /** Its topics as people write them: the topic, or {@code *}. */
  public String shownTopics() {
    return topics.root() == null ? EVERYTHING : topic().name();
  }

  /** The topics that somebody wrote so. */
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

  /** The mount that the registry has; null if this program does not know how to keep it. */
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

  /** The mount that a line of the log describes; null if it describes none that we could keep. */
  static @Nullable Mount of(Fields fields) {
    return of(
        new TrustedMount(
            fields.text("name", ""),
            fields.text("dialect", ""),
            fields.text("path", ""),
            fields.text("topic", "")));
  }
}
