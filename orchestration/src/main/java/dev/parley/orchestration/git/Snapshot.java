package dev.parley.orchestration.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What is about to be committed, in the index of a worktree, while gates look at it. */
public final class Snapshot {
  private final Git git;
  private final String tree;

  private Snapshot(Git git, String tree) {
    this.git = git;
    this.tree = tree;
  }

  /** Stages all there is. */
  public static Snapshot take(Git git) {
    var _ = git.run("add", "--all");
    return new Snapshot(git, git.run("write-tree"));
  }

  /** Makes files and index what a tree of git's has; what is neither there nor ignored goes. */
  public static void putBack(Git git, String tree) {
    var _ = git.run("add", "--all");
    var _ = git.run("read-tree", "-u", "--reset", tree);
  }

  /** The name of what was staged: the same files have the same name. */
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

  /** Files that gates have made: neither in the snapshot nor ignored. */
  public List<String> madeSince() {
    return git.items("ls-files", "-z", "--others", "--exclude-standard");
  }

  /**
   * Takes away what gates have made, and sets back what they have changed. For worktrees of our
   * own: nobody else works there.
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

  /** Whether there is something to commit on top of the head. */
  public boolean isNews() {
    return !git.attempt("diff", "--cached", "--quiet").ok();
  }

  /** The options and words of the command that commits it; hooks are asked. */
  public List<String> commitCommand(String message) {
    List<String> command = new ArrayList<>(List.of("git", "-C", git.folder().toString()));
    command.addAll(git.identity());
    command.addAll(List.of("commit", "--quiet", "--cleanup=verbatim", "-m", message));
    return command;
  }
}
