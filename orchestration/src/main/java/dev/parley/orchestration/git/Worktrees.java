package dev.parley.orchestration.git;

import dev.parley.core.ParleyException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The worktrees of a repository, and the one rule by which they are removed.
 *
 * <pre>
 * git does not list it as a linked worktree, or it is locked   kept
 * a process works in it                                        saved, kept
 * it has submodules                                            saved, kept
 * something in it is not committed                             saved, kept
 * a commit of its history is on no branch, tag or remote ref   saved, kept
 * none of these                                                removed; its ignored files are listed
 * </pre>
 *
 * Saved means: {@link Rescue}. Git itself looks once more whether the tree is clean, and refuses.
 */
public final class Worktrees {
  private static final int MOST_LISTED = 1_000;
  private static final List<String> OWN_REFS =
      List.of(
          "ORIG_HEAD",
          "MERGE_HEAD",
          "CHERRY_PICK_HEAD",
          "REVERT_HEAD",
          "REBASE_HEAD",
          "FETCH_HEAD");

  private final Git git;

  public Worktrees(Git git) {
    this.git = git;
  }

  /** A worktree as git lists it. */
  public record Listed(Path path, @Nullable String branch, boolean main, boolean locked) {}

  /**
   * The state of a worktree before its removal.
   *
   * @param reasons why it must be kept; empty if it may go
   * @param ignored its ignored files, which are deleted with it
   */
  public record Finding(Path path, List<String> reasons, List<String> ignored) {
    public boolean mayGo() {
      return reasons.isEmpty();
    }
  }

  /**
   * The result of a removal.
   *
   * @param rescue the ref with the saved content; null if nothing had to be saved
   */
  public record Removal(Finding finding, boolean removed, @Nullable String rescue) {}

  /** Makes a worktree with a new branch. */
  public Git add(Path path, String branch, String base) {
    var _ = git.run("worktree", "add", "--quiet", "-b", branch, path.toString(), base);
    return new Git(path);
  }

  /** Makes a worktree on a commit, without a branch. */
  public Git addDetached(Path path, String base) {
    var _ = git.run("worktree", "add", "--quiet", "--detach", path.toString(), base);
    return new Git(path);
  }

  public List<Listed> list() {
    List<Listed> trees = new ArrayList<>();
    Path path = null;
    String branch = null;
    boolean locked = false;
    for (String line : (git.run("worktree", "list", "--porcelain") + "\n\n").split("\n", -1)) {
      if (line.startsWith("worktree ")) {
        path = Path.of(line.substring("worktree ".length()));
      } else if (line.startsWith("branch refs/heads/")) {
        branch = line.substring("branch refs/heads/".length());
      } else if (line.equals("locked") || line.startsWith("locked ")) {
        locked = true;
      } else if (line.isEmpty() && path != null) {
        trees.add(new Listed(path, branch, trees.isEmpty(), locked));
        path = null;
        branch = null;
        locked = false;
      }
    }
    return trees;
  }

  /** Removes the records of worktrees whose folders are gone. Their branches stay. */
  public void prune() {
    var _ = git.run("worktree", "prune");
  }

  /** Examines a worktree, changing nothing. */
  public Finding examine(Path tree) {
    Path path = real(tree);
    Listed listed =
        list().stream().filter(each -> real(each.path()).equals(path)).findFirst().orElse(null);
    if (listed == null || listed.main()) {
      return new Finding(tree, List.of("git does not list it as a linked worktree"), List.of());
    }
    if (!Files.isDirectory(path)) {
      return new Finding(tree, List.of("its folder is gone"), List.of());
    }
    List<String> reasons = new ArrayList<>();
    if (listed.locked()) {
      reasons.add("it is locked");
    }
    List<Long> inside = ProcessesInFolder.processes(path);
    if (!inside.isEmpty()) {
      reasons.add("a process works in it: " + inside.getFirst());
    }
    Git there = new Git(path);
    if (Files.exists(path.resolve(".gitmodules"))) {
      reasons.add("it has submodules");
    }
    TreeState state = TreeState.of(there);
    if (!state.isClean()) {
      reasons.add(state.changed().size() + " files are not committed");
    }
    List<String> unreachable = unreachable(there);
    if (!unreachable.isEmpty()) {
      reasons.add(unreachable.size() + " commits are on no branch, tag or remote ref");
    }
    return new Finding(path, List.copyOf(reasons), ignored(there));
  }

  /** Removes a worktree if the rule allows it; otherwise saves its content and keeps it. */
  public Removal remove(Path tree) throws IOException {
    return remove(tree, finding -> {});
  }

  /**
   * Removes a worktree if the rule allows it; otherwise saves its content and keeps it.
   *
   * @param going is told of a worktree, with its ignored files, before it is removed
   */
  public Removal remove(Path tree, Consumer<Finding> going) throws IOException {
    Finding finding = examine(tree);
    if (finding.mayGo()) {
      going.accept(finding);
      Git.Result result = git.attempt("worktree", "remove", finding.path().toString());
      if (result.ok()) {
        return new Removal(finding, true, null);
      }
      finding = new Finding(finding.path(), List.of(result.err().strip()), finding.ignored());
    }
    boolean listed =
        list().stream().anyMatch(each -> !each.main() && real(each.path()).equals(real(tree)));
    String rescue =
        listed && Files.isDirectory(tree)
            ? Rescue.save(new Git(tree), unreachable(new Git(tree)))
            : null;
    return new Removal(finding, false, rescue);
  }

  /**
   * The commits of this worktree's head and reflog that no branch, tag, remote or rescue ref leads
   * to. Removing the worktree would lose them.
   */
  static List<String> unreachable(Git there) {
    Set<String> known = new LinkedHashSet<>();
    String head = there.commit("HEAD");
    if (head != null) {
      known.add(head);
    }
    Git.Result reflog = there.attempt("reflog", "show", "--format=%H", "HEAD");
    if (reflog.ok()) {
      reflog.out().lines().forEach(known::add);
    }
    // These belong to the worktree alone, and would be lost with it as well.
    for (String name : OWN_REFS) {
      String commit = there.commit(name);
      if (commit != null) {
        known.add(commit);
      }
    }
    known.addAll(
        there.lines(
            "for-each-ref",
            "--format=%(objectname)",
            "refs/worktree/",
            "refs/bisect/",
            "refs/rewritten/"));
    if (known.isEmpty()) {
      return List.of();
    }
    List<String> command =
        new ArrayList<>(List.of("rev-list", "--no-walk=unsorted", "--ignore-missing"));
    command.addAll(known);
    List<String> there2 = there.lines(command.toArray(String[]::new));
    List<String> walk = new ArrayList<>(List.of("rev-list"));
    walk.addAll(there2);
    walk.addAll(
        List.of("--not", "--branches", "--tags", "--remotes", "--glob=refs/parley/rescue/*"));
    List<String> lost = there.lines(walk.toArray(String[]::new));
    return there2.stream().filter(lost::contains).limit(MOST_LISTED).toList();
  }

  /** Ignored files; a folder that is ignored as a whole counts as one. */
  private static List<String> ignored(Git there) {
    return there
        .items("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
        .stream()
        .limit(MOST_LISTED)
        .toList();
  }

  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      return path.toAbsolutePath().normalize();
    }
  }

  /**
   * Checks the path of a new worktree.
   *
   * @throws ParleyException REFUSED if it exists already
   */
  public static Path free(Path path) {
    if (Files.exists(path)) {
      throw ParleyException.refused(
          "worktree-exists",
          path + " is there already.",
          "Look at what it holds; parley waves clean shows which worktrees can go.");
    }
    return path;
  }
}
