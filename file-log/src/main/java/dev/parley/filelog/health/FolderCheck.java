package dev.parley.filelog.health;

import dev.parley.core.Topic;
import dev.parley.filelog.BusSettings;
import dev.parley.filelog.FileLog;
import dev.parley.filelog.disk.Disk;
import dev.parley.filelog.disk.HardLinkCheck;
import dev.parley.filelog.disk.RealDisk;
import dev.parley.filelog.disk.SafeFiles;
import dev.parley.filelog.disk.UnsafeFileException;
import dev.parley.filelog.store.FileContents;
import dev.parley.filelog.store.FileCursors;
import dev.parley.filelog.store.FileViews;
import dev.parley.filelog.store.SessionFiles;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Checks the entries of a bus folder without reading them: kinds, owners, permissions, unknown
 * names.
 */
public final class FolderCheck {
  private static final String TOPIC = ".jsonl";
  private static final String MOUNTS = "mounts";
  private static final Set<String> FOLDERS =
      Set.of(
          FileCursors.FOLDER, FileViews.FOLDER, SessionFiles.FOLDER, FileContents.FOLDER, MOUNTS);
  private static final Set<String> FILES = Set.of(BusSettings.FILE, KnownDamage.FILE, ".pid");

  private final Path folder;
  private final boolean repair;
  private final Consumer<Finding> findings;
  private final Map<Topic, Path> topics = new TreeMap<>();
  private final List<Path> contents = new ArrayList<>();
  private final List<Path> views = new ArrayList<>();

  public FolderCheck(Path folder, boolean repair, Consumer<Finding> findings) {
    this.folder = folder;
    this.repair = repair;
    this.findings = findings;
  }

  /** The topics whose files may be opened safely. */
  public Map<Topic, Path> topics() {
    return topics;
  }

  /** The views that may be opened safely. */
  List<Path> views() {
    return views;
  }

  /** The contents that may be opened safely. */
  List<Path> contents() {
    return contents;
  }

  public void run() throws IOException {
    if (!isSafe(folder, SafeFiles.Kind.FOLDER)) {
      return;
    }
    for (Path entry : list(folder)) {
      String name = String.valueOf(entry.getFileName());
      if (FOLDERS.contains(name)) {
        filesIn(entry, name);
      } else if (FILES.contains(name)) {
        isSafe(entry, SafeFiles.Kind.FILE);
      } else {
        Optional<Topic> topic = FileLog.topic(entry);
        if (topic.isEmpty()) {
          stray(entry, name);
        } else if (isSafe(entry, SafeFiles.Kind.FILE) && isItsTopic(entry)) {
          topics.put(topic.get(), entry);
        }
      }
    }
  }

  private void filesIn(Path inside, String folderName) throws IOException {
    if (isSafe(inside, SafeFiles.Kind.FOLDER)) {
      for (Path file : list(inside)) {
        String name = String.valueOf(file.getFileName());
        if (!belongs(file, name, folderName)) {
          stray(file, name);
        } else if (isSafe(file, SafeFiles.Kind.FILE)) {
          inside(folderName).add(file);
        }
      }
    }
  }

  private List<Path> inside(String folderName) {
    return switch (folderName) {
      case FileContents.FOLDER -> contents;
      case FileViews.FOLDER -> views;
      default -> new ArrayList<>();
    };
  }

  private static boolean belongs(Path file, String name, String folderName) {
    return switch (folderName) {
      case FileContents.FOLDER -> FileContents.isNamedLikeOne(file);
      case SessionFiles.FOLDER, MOUNTS -> !name.startsWith(".");
      default -> name.endsWith(".json") && !name.startsWith(".");
    };
  }

  private static List<Path> list(Path folder) throws IOException {
    List<Path> entries = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      files.forEach(entries::add);
    }
    Collections.sort(entries);
    return entries;
  }

  private void stray(Path path, String name) {
    String what =
        name.endsWith(TOPIC)
            ? "Its name is not a topic name, so it is not read."
            : name.endsWith(".tmp")
                ? "A program that was killed left it behind. It can be deleted."
                : "It is not part of a bus.";
    if (Files.isSymbolicLink(path)) {
      unsafe(path, "is a symbolic link");
    } else {
      findings.accept(Finding.note("stray-file", Finding.Place.of(path), what));
    }
  }

  /** Checks a file that Parley writes; false if it must not be opened. */
  private boolean isSafe(Path path, SafeFiles.Kind kind) throws IOException {
    String problem = SafeFiles.problem(path, kind);
    if (problem != null) {
      unsafe(path, problem);
      return false;
    }
    permissions(path, kind == SafeFiles.Kind.FOLDER ? SafeFiles.FOLDER : SafeFiles.FILE);
    return true;
  }

  /** Opens a topic's file, which fails if the file belongs to something else. */
  private boolean isItsTopic(Path path) throws IOException {
    try (Disk.Reader _ = new RealDisk().read(path)) {
      return true;
    } catch (UnsafeFileException e) {
      unsafe(path, HardLinkCheck.PROBLEM);
      return false;
    } catch (AccessDeniedException e) {
      return true; // reading it will report the error
    }
  }

  private void unsafe(Path path, String problem) {
    findings.accept(
        Finding.problem(
            "unsafe-file",
            Finding.Place.of(path),
            "It " + problem + ", and is not opened. Move it away.",
            null));
  }

  private void permissions(Path path, Set<PosixFilePermission> right) throws IOException {
    Set<PosixFilePermission> is = Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS);
    if (is.equals(right)) {
      return;
    }
    Finding finding =
        Finding.problem(
            "permissions",
            Finding.Place.of(path),
            "Its permissions are "
                + PosixFilePermissions.toString(is)
                + " instead of "
                + PosixFilePermissions.toString(right)
                + ".",
            right.equals(SafeFiles.FOLDER) ? "chmod 700" : "chmod 600");
    if (repair) {
      Files.setPosixFilePermissions(path, right);
      finding = finding.done();
    }
    findings.accept(finding);
  }
}
