package dev.parley.orchestration.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Copies files of a commit out of git. */
public final class CommitExport {
  private CommitExport() {}

  /**
   * Copies files of a commit into a new folder, all or none. Git ensures that no path leaves the
   * folder.
   *
   * @param into a new folder in an existing one
   */
  public static void files(Git git, String commit, List<String> paths, Path into)
      throws IOException {
    Path parent = into.getParent();
    if (parent == null || Files.exists(into, LinkOption.NOFOLLOW_LINKS) || paths.isEmpty()) {
      return;
    }
    Path half = Files.createTempDirectory(parent, ".half-");
    Path index = parent.resolve(half.getFileName() + ".index");
    Git aside = git.with(Map.of("GIT_INDEX_FILE", index.toString()));
    var _ = aside.run("read-tree", commit);
    List<String> command =
        new ArrayList<>(
            List.of("checkout-index", "--force", "--quiet", "--prefix=" + half + "/", "--"));
    command.addAll(paths);
    var _ = aside.attempt(command.toArray(String[]::new)); // deleted files are not in the commit
    Files.deleteIfExists(index);
    Files.move(half, into);
  }
}
