package dev.parley.mcp.hook;

import dev.parley.WorkingTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file that is about to be changed. It belongs to the working tree that it lies in, which need
 * not be the one that the agent was started in: agents go into worktrees while they work.
 *
 * @param tree the name of the working tree
 * @param path from its root
 */
record EditedPath(String tree, String path) {
  /** What is never anybody's own work. */
  private static final Set<String> EXEMPT = Set.of(".git", ".parley");

  /**
   * The file with this path; null if it lies outside of the repository, or is nobody's work.
   *
   * @param folder where the agent works
   * @param path relative to it, or absolute
   */
  static @Nullable EditedPath of(Path folder, String path, Path bus) {
    try {
      Path real = real(folder.resolve(path).normalize());
      Path root = root(real, Path.of(WorkingTree.of(folder, bus).name()));
      if (!real.startsWith(root) || real.equals(root)) {
        return null;
      }
      Path relative = root.relativize(real);
      return EXEMPT.contains(relative.getName(0).toString())
          ? null
          : new EditedPath(root.toString(), relative.toString().replace('\\', '/'));
    } catch (InvalidPathException e) {
      return null;
    }
  }

  /** That of the worktree of the same repository that the file is in, or else the agent's own. */
  private static Path root(Path file, Path own) {
    for (Path above = file.getParent();
        above != null && !above.equals(own);
        above = above.getParent()) {
      if (Files.exists(above.resolve(".git"))) {
        return gitFolder(above).equals(gitFolder(own)) ? above : own;
      }
    }
    return own;
  }

  /** What all worktrees of a repository share: a linked one says in a file where its part lies. */
  private static Path gitFolder(Path root) {
    Path git = root.resolve(".git");
    try {
      if (Files.isRegularFile(git)) {
        String said = Files.readString(git).strip();
        if (said.startsWith(LINK)) {
          Path own = real(root.resolve(said.substring(LINK.length()).strip()).normalize());
          Path all = own.getParent();
          Path shared = all == null ? null : all.getParent();
          return all != null && shared != null && all.endsWith("worktrees") ? shared : own;
        }
      }
    } catch (IOException e) {
      // Then it shares nothing.
    }
    return git;
  }

  private static final String LINK = "gitdir:";

  /** With all links resolved, also of a file that is not there yet. */
  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      Path parent = path.getParent();
      Path name = path.getFileName();
      return parent == null || name == null ? path : real(parent).resolve(name);
    }
  }
}
