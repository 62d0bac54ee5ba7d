package dev.parley.cli.install;

import dev.parley.core.ParleyException;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The program under a prefix.
 *
 * <pre>
 * &lt;prefix&gt;/bin/parley                      a link to the script
 * &lt;prefix&gt;/lib/parley/parley               the script
 * &lt;prefix&gt;/lib/parley/tools/find-jdk.sh
 * &lt;prefix&gt;/lib/parley/lib/*.jar, jars.sha256
 * &lt;prefix&gt;/lib/parley/lib/libraries/*.jar
 * &lt;prefix&gt;/lib/parley/lib/cache/           what the script made to start faster
 * &lt;prefix&gt;/lib/parley/installed-files      what is ours, one path a line
 * </pre>
 */
final class Installation {
  private static final String SCRIPT = "parley";
  private static final String FIND_JDK = "tools/find-jdk.sh";
  private static final String JARS = "{*.jar,jars.sha256}";
  private static final String LIBRARIES = "libraries";
  private static final String CACHE = "lib/cache";
  private static final String MAKE_CACHE = "--make-start-up-cache";
  private static final String LIST = "installed-files";

  private final Path bin;
  private final Path lib;
  private final Path link;
  private final Path folder;

  Installation(Path prefix) {
    this.bin = prefix.resolve("bin");
    this.lib = prefix.resolve("lib");
    this.link = bin.resolve("parley");
    this.folder = lib.resolve("parley");
  }

  Path bin() {
    return bin;
  }

  Path link() {
    return link;
  }

  /**
   * Installs the program atomically: a process that starts it meanwhile gets the old or the new
   * one.
   */
  void install(Path home, Path jars) throws IOException {
    checkOurs();
    Files.createDirectories(bin);
    Files.createDirectories(lib);
    Path fresh = Files.createTempDirectory(lib, ".parley-new-");
    try {
      copy(home, jars, fresh);
      Path old = null;
      if (exists(folder)) {
        old = Files.createTempDirectory(lib, ".parley-old-");
        Files.move(folder, old.resolve("parley"));
      }
      Files.move(fresh, folder);
      relink();
      makeCache();
      if (old != null) {
        removeListed(old.resolve("parley"));
        Files.delete(old);
      }
    } finally {
      if (exists(fresh)) {
        removeAll(fresh);
      }
    }
  }

  /** In its final place, because a cache is valid only for the paths of its jars. */
  private void makeCache() throws IOException {
    Process script =
        new ProcessBuilder(folder.resolve(SCRIPT).toString(), MAKE_CACHE)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    script.onExit().join();
  }

  /** Removes the program; false if it is not installed. */
  boolean remove() throws IOException {
    checkOurs();
    boolean removed = Files.deleteIfExists(link);
    if (exists(folder)) {
      removeListed(folder);
      removed = true;
    }
    return removed;
  }

  private static void copy(Path home, Path jars, Path to) throws IOException {
    List<String> files = new ArrayList<>();
    files.add(copy(home.resolve(SCRIPT), to, SCRIPT, "rwxr-xr-x"));
    files.add(copy(home.resolve(FIND_JDK), to, FIND_JDK, "rw-r--r--"));
    try (DirectoryStream<Path> found = Files.newDirectoryStream(jars, JARS)) {
      for (Path jar : found) {
        files.add(copy(jar, to, "lib/" + jar.getFileName(), "rw-r--r--"));
      }
    }
    try (DirectoryStream<Path> found = Files.newDirectoryStream(jars.resolve(LIBRARIES), "*.jar")) {
      for (Path jar : found) {
        String name = "lib/" + LIBRARIES + "/" + jar.getFileName();
        files.add(copy(jar, to, name, "rw-r--r--"));
      }
    }
    files.add(LIST);
    Files.write(to.resolve(LIST), files);
    Files.setPosixFilePermissions(to, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static String copy(Path from, Path to, String name, String permissions)
      throws IOException {
    Path target = to.resolve(name);
    Files.createDirectories(target.resolveSibling("."));
    Files.copy(from, target, StandardCopyOption.REPLACE_EXISTING);
    Files.setPosixFilePermissions(target, PosixFilePermissions.fromString(permissions));
    return name;
  }

  private void relink() throws IOException {
    Path fresh = bin.resolve(".parley-" + ProcessHandle.current().pid());
    Files.deleteIfExists(fresh);
    Files.createSymbolicLink(fresh, bin.relativize(folder.resolve(SCRIPT)));
    Files.move(fresh, link, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private void checkOurs() throws IOException {
    if (exists(link)) {
      boolean ours =
          Files.isSymbolicLink(link)
              && bin.resolve(Files.readSymbolicLink(link))
                  .normalize()
                  .equals(folder.resolve(SCRIPT));
      if (!ours) {
        throw notOurs(link, "it does not lead to " + folder.resolve(SCRIPT));
      }
    }
    if (exists(folder)) {
      if (!Files.isRegularFile(folder.resolve(LIST))) {
        throw notOurs(folder, "it has no " + LIST);
      }
      List<String> listed = listed(folder);
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.filter(each -> !Files.isDirectory(each)).toList()) {
          boolean made = file.startsWith(folder.resolve(CACHE));
          if (!made && !listed.contains(folder.relativize(file).toString())) {
            throw notOurs(file, "it lies where the program is");
          }
        }
      }
    }
  }

  private static ParleyException notOurs(Path path, String why) {
    return new ParleyException(
        ParleyException.Kind.FAILED,
        "not-ours",
        path + " was not put there by parley install: " + why + ". Nothing was changed.",
        "Move it away, or choose another place with --prefix.");
  }

  /** The installed files. Whatever the list says, none lies outside the installation. */
  private static List<String> listed(Path folder) throws IOException {
    List<String> names = new ArrayList<>();
    for (String name : Files.readAllLines(folder.resolve(LIST))) {
      Path file = folder.resolve(name).normalize();
      if (file.startsWith(folder) && !file.equals(folder)) {
        names.add(name);
      }
    }
    return names;
  }

  private static void removeListed(Path folder) throws IOException {
    if (exists(folder.resolve(CACHE))) {
      removeAll(folder.resolve(CACHE));
    }
    TreeSet<Path> folders = new TreeSet<>();
    folders.add(folder);
    for (String name : listed(folder)) {
      Path file = folder.resolve(name);
      Files.deleteIfExists(file);
      folders.add(file.resolveSibling("").normalize());
    }
    for (Path each : folders.reversed()) {
      try {
        Files.deleteIfExists(each);
      } catch (DirectoryNotEmptyException e) {
        // Another program put a file there meanwhile; it stays.
      }
    }
  }

  private static void removeAll(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  private static boolean exists(Path path) {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
  }
}
