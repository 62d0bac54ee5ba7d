package dev.parley.dialects.mount;

import dev.parley.core.ParleyException;
import dev.parley.dialects.append.AppendedFiles;
import dev.parley.dialects.append.AppendedMirror;
import dev.parley.dialects.conclave.ConclaveFiles;
import dev.parley.dialects.conductor.ConductorFiles;
import dev.parley.dialects.conductor.ConductorMirror;
import dev.parley.dialects.file.ForeignFile;
import dev.parley.dialects.gear.HistoryMirror;
import dev.parley.dialects.markdown.JournalFile;
import dev.parley.dialects.markdown.JournalFiles;
import dev.parley.dialects.swarm.SwarmMessageBus;
import dev.parley.dialects.swarm.mirror.SwarmMirror;
import dev.parley.dialects.sync.BusAccess;
import dev.parley.dialects.sync.Mirror;
import dev.parley.filelog.disk.SafeFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The tools whose files can be mounted. */
public enum Dialect {
  MARKDOWN(JournalFile.NAME, "journal"),
  SWARM(".swarm", "swarm"),
  CONCLAVE(".conclave/bus", "conclave"),
  CONDUCTOR(".message-bus", "conductor"),
  GEAR("message-history.json", "gear");

  private static final String PROJECT = "project_";

  private final String usualName;
  private final String usualTopic;

  Dialect(String usualName, String usualTopic) {
    this.usualName = usualName;
    this.usualTopic = usualTopic;
  }

  /**
   * A mount that is being worked on.
   *
   * @param shared whether the files get the envelopes of the mount's topic and of those under it
   * @param routes whether mail between agents of the files goes through the log
   */
  record Opened(Mirror mirror, boolean shared, boolean routes) {}

  /** The name as people write it: in lower case. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static List<String> words() {
    return Arrays.stream(values()).map(Dialect::word).toList();
  }

  static @Nullable Dialect find(String word) {
    for (Dialect dialect : values()) {
      if (dialect.word().equals(word)) {
        return dialect;
      }
    }
    return null;
  }

  /**
   * The dialect of this name.
   *
   * @throws ParleyException INVALID if there is none
   */
  public static Dialect named(String word) {
    Dialect dialect = find(word);
    if (dialect == null) {
      throw ParleyException.invalid(
          "no-such-dialect",
          "There is no dialect \"" + word + "\".",
          "Use one of " + String.join(", ", words()) + ".");
    }
    return dialect;
  }

  /** Whether the files are topics, so that they can be the bus's own. */
  boolean hasTopics() {
    return this == CONCLAVE;
  }

  /** The tool's usual name for its folder or file. */
  public String usualName() {
    return usualName;
  }

  /** The topic of its messages unless another is named. */
  public String usualTopic() {
    return usualTopic;
  }

  /** Creates the tool's own layout. What exists is left as it is. False if everything existed. */
  public boolean create(Path path) {
    boolean fresh = !Files.exists(path);
    switch (this) {
      case MARKDOWN -> {
        var _ = new JournalFile(path).create();
      }
      case SWARM -> new SwarmMessageBus(path, remark -> {}).initializeAgentQueues();
      case CONCLAVE -> createFolder(path);
      case CONDUCTOR -> ConductorFiles.create(path);
      case GEAR -> HistoryMirror.create(path);
    }
    return fresh;
  }

  private static void createFolder(Path path) {
    try {
      SafeFiles.createFolder(path);
    } catch (IOException e) {
      throw ForeignFile.trouble("Making", path, e);
    }
  }

  /** Whether the tool keeps one file, not a folder. */
  boolean isFile() {
    return this == MARKDOWN || this == GEAR;
  }

  /** Whether the path has the tool's layout, so that it can be mounted. */
  boolean isAt(Path path) {
    return isFile() ? Files.isRegularFile(path) : Files.isDirectory(path);
  }

  /**
   * Checks that a path can be mounted.
   *
   * @throws ParleyException REFUSED if it can't
   */
  public void check(Path path) {
    if (!isAt(path)) {
      throw ParleyException.refused(
          "nothing-to-mount",
          "There is no " + word() + " at " + path + ".",
          "Make it with parley init --dialect " + word() + " " + path + ".");
    }
  }

  Opened open(Mount mount, BusAccess bus) {
    return switch (this) {
      case MARKDOWN -> appended(new JournalFiles(mount.path(), mount.topic()), bus);
      case SWARM -> new Opened(new SwarmMirror(mount.path(), bus), false, true);
      case CONCLAVE -> appended(new ConclaveFiles(mount.path(), mount.topics()), bus);
      case CONDUCTOR -> new Opened(new ConductorMirror(mount.path(), bus), true, false);
      case GEAR -> new Opened(new HistoryMirror(mount.path(), projectOf(mount), bus), false, false);
    };
  }

  /** The tool keeps each project in a folder named after it. */
  private static String projectOf(Mount mount) {
    Path folder = mount.path().getParent();
    String name = folder == null ? "" : String.valueOf(folder.getFileName());
    return name.startsWith(PROJECT) ? name.substring(PROJECT.length()) : mount.name();
  }

  private static Opened appended(AppendedFiles<?> files, BusAccess bus) {
    return new Opened(new AppendedMirror<>(files, bus.limits(), bus.remarks()), true, false);
  }
}
