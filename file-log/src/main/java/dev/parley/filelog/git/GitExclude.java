package dev.parley.filelog.git;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Keeps folders that Parley writes out of git, without touching a file that is committed. */
public final class GitExclude {
  private GitExclude() {}

  /**
   * Adds a folder to {@code info/exclude} of the repository that it is in; doing it again changes
   * nothing.
   *
   * @return the file that says so; null if the folder is in no working tree
   */
  public static @Nullable Path add(Path folder) {
    Path start = folder.getParent();
    try {
      GitLayout git = start == null ? null : Repository.layout(start);
      return git == null ? null : git.exclude(folder);
    } catch (IOException e) {
      return null; // git shows the folder; nothing else depends on it
    }
  }
}
