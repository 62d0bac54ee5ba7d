package dev.parley.filelog.git;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Makes git ignore folders that Parley writes, without changing a committed file. */
public final class GitExclude {
  private GitExclude() {}

  /**
   * Adds a folder to {@code info/exclude} of its repository, unless it is there already.
   *
   * @return that file; null if the folder is in no working tree
   */
  public static @Nullable Path add(Path folder) {
    Path start = folder.getParent();
    try {
      GitLayout git = start == null ? null : Repository.layout(start);
      return git == null ? null : git.exclude(folder);
    } catch (IOException e) {
      return null; // git will list the folder; nothing else depends on it
    }
  }
}
