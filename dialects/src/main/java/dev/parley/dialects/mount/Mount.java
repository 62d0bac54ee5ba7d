package dev.parley.dialects.mount;

import dev.parley.coordination.fold.Fields;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import java.nio.file.Path;

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

  static Mount of(Fields fields) {
    return new Mount(
        fields.text("name", ""),
        Dialect.named(fields.text("dialect", "")),
        Path.of(fields.text("path", "")),
        new Topic(fields.text("topic", "")));
  }
}
