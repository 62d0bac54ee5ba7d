package dev.parley.dialects.mount;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.filelog.TrustedMount;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A foreign folder or file that belongs to the bus.
 *
 * @param name what it is called on the bus
 * @param topic where its messages go that are for nobody in particular, and from where they come
 */
public record Mount(String name, Dialect dialect, Path path, Topic topic) {
  public Json toJson() {
    return Json.object()
        .put("name", name)
        .put("dialect", dialect.word())
        .put("path", path.toString())
        .put("topic", topic.name())
        .build();
  }

  TrustedMount trusted() {
    return new TrustedMount(name, dialect.word(), path.toString(), topic.name());
  }

  /** The mount that the registry has; null if this program does not know how to keep it. */
  static @Nullable Mount of(TrustedMount mount) {
    Dialect dialect = Dialect.find(mount.dialect());
    if (dialect == null || !Topic.isValid(mount.topic()) || !Topic.isValid(mount.name())) {
      return null;
    }
    try {
      return new Mount(mount.name(), dialect, Path.of(mount.path()), new Topic(mount.topic()));
    } catch (InvalidPathException e) {
      return null;
    }
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
