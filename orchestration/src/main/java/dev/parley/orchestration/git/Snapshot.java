package dev.parley.orchestration.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The staged files of a worktree, which gates check before they are committed. */
public final class Snapshot {
  private final Git git;
  private final String tree;

  private Snapshot(Git git, String tree) {
    this.git = git;
    this.tree = tree;
  }

  /** Stages everything. */
  public static Snapshot take(Git git) {
    var _ = git.run("add", "--all");
    return new Snapshot(git, git.run("write-tree"));
  }

  /** The same, leaving out what git can't stage, such as a repository without a commit. */
  public static Snapshot takeWhatCanBe(Git git) {
    var _ = git.attempt("add", "--all", "--ignore-errors");
    return new Snapshot(git, git.run("write-tree"));
  }

  /** Resets files and index to a git tree. Files that are neither in it nor ignored are deleted. */
  public static void putBack(Git git, String tree) {
    var _ = git.attempt("add", "--all", "--ignore-errors");
    var _ = git.run("read-tree", "-u", "--reset", tree);
  }

  /** The git tree's name: the same files have the same name. */
  public String tree() {
    return tree;
  }

  /** The paths that differ from a commit. */
  public List<String> changedSince(String commit) {
    return git.items("diff", "--name-only", "--no-renames", "-z", commit, tree);
  }

  public String diff(String commit) {
    return git.run("diff", "--no-color", "--no-ext-diff", commit, tree);
  }

  /** Files that gates have made and that are not ignored. */
  public List<String> madeSince() {
    return git.items("ls-files", "-z", "--others", "--exclude-standard");
  }

  /**
   * Deletes what gates have made, and reverts what they have changed. Only for Parley's own
   * worktrees, where nobody else works.
   */
  public void restore() throws IOException {
    for (String file : madeSince()) {
      Path path = git.folder().resolve(file).normalize();
      if (path.startsWith(git.folder()) && !Files.isDirectory(path)) {
        Files.deleteIfExists(path);
      }
    }
    var _ = git.attempt("checkout-index", "--all", "--force");
  }

  /** Whether there is something to commit. */
  public boolean isNews() {
    return !git.attempt("diff", "--cached", "--quiet").ok();
  }

  /** The git command that commits the snapshot, with hooks. */
  public List<String> commitCommand(String message) {
    List<String> command = new ArrayList<>(List.of("git", "-C", git.folder().toString()));
    command.addAll(git.identity());
    command.addAll(List.of("commit", "--quiet", "--cleanup=verbatim", "-m", message));
    return command;
  }
}
