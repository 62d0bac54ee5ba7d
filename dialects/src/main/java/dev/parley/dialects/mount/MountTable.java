package dev.parley.dialects.mount;

import dev.parley.coordination.fold.Fields;
import dev.parley.coordination.fold.Fold;
import dev.parley.core.Envelope;
import dev.parley.core.Position;
import dev.parley.core.Topic;
import dev.parley.core.json.Json;
import dev.parley.dialects.sync.MirrorTypes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The mounts that the log describes, for readers. Only the registry of trusted buses decides what
 * is mounted.
 *
 * <pre>
 * envelope       condition               effect
 * -------------  ----------------------  -----------------------
 * mount.added    the name is free        describes a mount
 *                the name is taken       none
 * mount.removed  the mount is described  removes the description
 * </pre>
 */
public final class MountTable implements Fold {
  public static final Topic TOPIC = new Topic("mounts");

  static final Fold.Kind<MountTable> KIND =
      new Fold.Kind<>() {
        @Override
        public String view() {
          return "mounts";
        }

        @Override
        public List<Topic> topics() {
          return List.of(TOPIC);
        }

        @Override
        public MountTable begin() {
          return new MountTable();
        }

        @Override
        public MountTable load(Json saved) {
          MountTable table = new MountTable();
          saved.items().forEach(item -> table.add(Fields.of(item)));
          return table;
        }
      };

  private final Map<String, Json> mounts = new LinkedHashMap<>();

  @Override
  public void apply(Envelope envelope, Position after) {
    if (!envelope.isNative()) {
      return;
    }
    Fields payload = Fields.of(envelope.payload());
    switch (envelope.type()) {
      case MirrorTypes.ADDED -> add(payload);
      case MirrorTypes.REMOVED -> mounts.remove(payload.text("name", ""));
      default -> {
        // A line that mounts nothing.
      }
    }
  }

  private void add(Fields payload) {
    Json.ObjectBuilder json = Json.object();
    payload.values().forEach(json::put);
    mounts.putIfAbsent(payload.text("name", ""), json.build());
  }

  /** The described mounts whose dialect this program knows. */
  public List<Mount> mounts() {
    List<Mount> all = new ArrayList<>();
    for (Json mount : mounts.values()) {
      Fields fields = Fields.of(mount);
      Mount known = Mount.of(fields);
      if (known != null) {
        all.add(known);
      }
    }
    return all;
  }

  public @Nullable Mount named(String name) {
    for (Mount mount : mounts()) {
      if (mount.name().equals(name)) {
        return mount;
      }
    }
    return null;
  }

  boolean isTaken(String name) {
    return mounts.containsKey(name);
  }

  @Override
  public Json save() {
    return Json.of(List.copyOf(mounts.values()));
  }
}
