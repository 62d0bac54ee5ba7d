package dev.parley;

import dev.parley.coordination.path.PathPattern;
import dev.parley.core.ParleyException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * The working tree in which a command is called. Users type paths relative to their folder; the bus
 * has them relative to the root of the tree.
 */
public final class WorkingTree {
  private final Path root;
  private final Path folder;

  private WorkingTree(Path root, Path folder) {
    this.root = root;
    this.folder = folder;
  }

  /**
   * The git working tree; where there is none, the folder that the bus lies in.
   *
   * @param workingFolder where the command is called
   * @param bus the folder of the bus
   * @return the working tree
   */
  public static WorkingTree of(Path workingFolder, Path bus) {
    Path folder = real(workingFolder);
    for (Path above = folder; above != null; above = above.getParent()) {
      if (Files.exists(above.resolve(".git"))) {
        return new WorkingTree(above, folder);
      }
    }
    Path home = real(Objects.requireNonNullElse(bus.toAbsolutePath().getParent(), folder));
    return new WorkingTree(folder.startsWith(home) ? home : folder, folder);
  }

  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      return path.toAbsolutePath().normalize();
    }
  }

  /** {@return its name on the bus; each working tree of a repository has another} */
  public String name() {
    return root.toString();
  }

  /**
   * Several patterns that were typed, from the root.
   *
   * @param typed relative to the working folder
   * @return the same, relative to the root
   */
  public List<String> patterns(List<String> typed) {
    return typed.stream().map(this::pattern).toList();
  }

  /**
   * The pattern that was typed, from the root. If a file has exactly this name, the pattern is that
   * file.
   *
   * @param typed relative to the working folder
   * @return the same, relative to the root
   */
  public String pattern(String typed) {
    try {
      if (Files.exists(folder.resolve(typed))) {
        return PathPattern.of(PathPattern.quote(path(typed))).toString();
      }
    } catch (InvalidPathException e) {
      // No such file can exist, but it may still be a pattern.
    }
    refuseList(typed);
    boolean isFolder = typed.endsWith("/") && typed.length() > 1;
    return PathPattern.of(path(typed) + (isFolder ? "/" : "")).toString();
  }

  /** Other lists are typed with commas; taken for one path, such a list would protect nothing. */
  private static void refuseList(String typed) {
    if (typed.contains(",") && !typed.contains("{") && !typed.contains("[")) {
      throw ParleyException.invalid(
          "bad-path",
          "\"" + typed + "\" looks like a list, and no file has this name.",
          "Name each path by itself. For a comma in the name of a new file, write ? instead.");
    }
  }

  /**
   * The path that was typed, from the root.
   *
   * @param typed relative to the working folder
   * @return the same, relative to the root
   */
  public String path(String typed) {
    if (typed.isBlank()) {
      throw ParleyException.invalid(
          "bad-path", "The path is empty.", "Name a file, a folder or a pattern.");
    }
    Path path;
    try {
      path = folder.resolve(typed).normalize();
    } catch (InvalidPathException e) {
      throw ParleyException.invalid(
          "bad-path", "\"" + typed + "\" is not a path: " + e.getReason() + ".", "Check it.");
    }
    if (!path.startsWith(root)) {
      throw ParleyException.invalid(
          "bad-path",
          "\"" + typed + "\" lies outside the working tree " + root + ".",
          "Give a path inside it.");
    }
    if (path.equals(root)) {
      throw ParleyException.invalid(
          "bad-path",
          "\"" + typed + "\" is the whole working tree.",
          "To mean everything in it, write '**'.");
    }
    return root.relativize(path).toString().replace('\\', '/');
  }
}
