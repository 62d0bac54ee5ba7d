package dev.parley.dialects.mount;

import dev.parley.coordination.fold.FoldReader;
import dev.parley.core.Message;
import dev.parley.core.ParleyException;
import dev.parley.core.Prefix;
import dev.parley.core.Reporter;
import dev.parley.core.Topic;
import dev.parley.core.bus.Bus;
import dev.parley.core.json.Json;
import dev.parley.dialects.file.ForeignFile;
import dev.parley.dialects.sync.MirrorTypes;
import dev.parley.filelog.BusFolder;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.trust.TrustedMount;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What is mounted on a bus. The local user decides that, and the registry of trusted buses keeps
 * it. The log only gets a description, which mounts nothing.
 */
final class MountRegistry {
  private final BusFolder folder;
  private final FileLog log;
  private final FoldReader<MountTable> table;

  MountRegistry(BusFolder folder, FileLog log, Reporter reporter) {
    this.folder = folder;
    this.log = log;
    this.table = new FoldReader<>(log, folder.views(), reporter, MountTable.KIND);
  }

  /** What the local user has mounted, by the registry, never by the log. */
  List<Mount> list() {
    List<Mount> known = new ArrayList<>();
    for (TrustedMount trusted : folder.mounts()) {
      Mount mount = Mount.of(trusted);
      if (mount != null) {
        known.add(mount);
      }
    }
    return known;
  }

  /**
   * What the log describes as mounted although the local user has not mounted it. It came with the
   * bus, an earlier version mounted it, or somebody wrote it there. It has no effect.
   */
  List<Mount> describedOnly() {
    List<Mount> mounted = list();
    return table.refresh().mounts().stream().filter(mount -> !mounted.contains(mount)).toList();
  }

  /**
   * Mounts a folder or file. The registry of trusted buses keeps the mount; the log gets a
   * description.
   *
   * @throws ParleyException REFUSED if the name is taken, the path is mounted already or lacks the
   *     tool's layout, or the bus is not in the registry
   */
  Mount add(Dialect dialect, Path path, @Nullable String name, @Nullable Topic topic) {
    Topic root = topic == null ? new Topic(dialect.usualTopic()) : topic;
    return mount(dialect, path, name, new Prefix(root));
  }

  /**
   * Mounts a folder or file under these topics.
   *
   * @param topics all topics, if those of the files are the free topics of the bus
   * @throws ParleyException INVALID if the tool has no topics
   */
  Mount mount(Dialect dialect, Path path, @Nullable String name, Prefix topics) {
    dialect.check(path);
    if (folder.owner() != null) {
      throw ParleyException.refused(
          "signatures-required",
          "This bus requires signatures, and other tools sign nothing.",
          "Use a bus of its own for them, or require none: parley keys lift");
    }
    if (topics.root() == null && !dialect.hasTopics()) {
      throw ParleyException.invalid(
          "no-topics",
          "The files of " + dialect.word() + " are no topics: all they say goes to one topic.",
          "Name that topic: --topic " + dialect.usualTopic());
    }
    Path real = real(path);
    String wanted = name == null ? null : new Topic(name).name();
    AtomicReference<Mount> added = new AtomicReference<>();
    folder.mount(mounted -> {
      Mount mount = new Mount(chosenName(mounted, dialect, real, wanted), dialect, real, topics);
      added.set(mount);
      List<TrustedMount> more = new ArrayList<>(mounted);
      more.add(mount.trusted());
      return more;
    });
    Mount mount = Objects.requireNonNull(added.get());
    append(MirrorTypes.ADDED, mount.toJson());
    return mount;
  }

  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      throw ForeignFile.trouble("Reading", path, e);
    }
  }

  private static String chosenName(
      List<TrustedMount> mounted, Dialect dialect, Path real, @Nullable String wanted) {
    Set<String> taken = new HashSet<>();
    for (TrustedMount mount : mounted) {
      taken.add(mount.name());
      if (mount.path().equals(real.toString())) {
        throw ParleyException.refused(
            "mounted-already",
            real + " is mounted already, as " + mount.name() + ".",
            "parley mount list shows what is mounted.");
      }
    }
    if (wanted != null && taken.contains(wanted)) {
      throw ParleyException.refused(
          "name-taken", "Something is mounted as " + wanted + " already.", "Use another --name.");
    }
    String name = wanted == null ? dialect.word() : wanted;
    for (int i = 2; taken.contains(name); i++) {
      name = dialect.word() + "-" + i;
    }
    return name;
  }

  /** The mount at a path; null if there is none. */
  @Nullable Mount at(Path path) {
    Path real = real(path);
    return list().stream().filter(one -> one.path().equals(real)).findFirst().orElse(null);
  }

  /** Unmounts. The files and the log stay as they are. */
  Mount remove(String name) {
    Mount mount = named(name);
    if (mount == null) {
      throw ParleyException.refused(
          "no-such-mount",
          "Nothing is mounted as " + name + ".",
          "parley mount list shows what is mounted.");
    }
    folder.mount(mounted -> mounted.stream().filter(one -> !one.name().equals(name)).toList());
    append(MirrorTypes.REMOVED, Json.object().put("name", name).build());
    return mount;
  }

  private @Nullable Mount named(String name) {
    for (Mount mount : list()) {
      if (mount.name().equals(name)) {
        return mount;
      }
    }
    return null;
  }

  private void append(String type, Json payload) {
    var _ = log.append(MountTable.TOPIC, List.of(Message.of(Bus.SYSTEM, type, payload)));
  }
}
