package dev.parley.filelog.git;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The git repository that a folder is in.
 *
 * @param roots the main working tree or bare folder, and the worktree of the folder
 */
public record Repository(List<Path> roots) {
  /** The repository around a folder; only {@code otherwise} if there is none. */
  public static Repository around(Path folder, Path otherwise) throws IOException {
    for (Path root = folder; root != null; root = root.getParent()) {
      GitLayout git = GitLayout.at(root);
      if (git != null) {
        return new Repository(List.of(root, git.busHome().toRealPath()));
      }
    }
    return new Repository(List.of(otherwise));
  }

  public static @Nullable GitLayout layout(Path folder) throws IOException {
    for (Path root = folder; root != null; root = root.getParent()) {
      GitLayout git = GitLayout.at(root);
      if (git != null) {
        return git;
      }
    }
    return null;
  }

  public boolean holds(Path real) {
    for (Path root : roots) {
      if (real.startsWith(root)) {
        return true;
      }
    }
    return false;
  }
}
