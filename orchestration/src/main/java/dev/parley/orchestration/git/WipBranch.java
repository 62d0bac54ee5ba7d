package dev.parley.orchestration.git;

import dev.parley.core.ParleyException;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/** Saves the work of a failed task on a branch of its own, so that the tree can be reset. */
public final class WipBranch {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);
  private static final int MOST_NAMES = 1_000;

  private WipBranch() {}

  /**
   * Where work was saved.
   *
   * @param ref a branch, or a rescue ref if git could not make one; the branch that was worked on
   *     if there was nothing to save
   * @param putBack whether the branch is checked out again where it was
   * @param trouble what is still in the tree, and why; empty if it is as before
   */
  public record Saved(String ref, boolean putBack, String trouble) {
    /**
     * Ensures that the branch is checked out again where it was.
     *
     * @throws ParleyException FAILED if not
     */
    public void check() {
      if (!putBack) {
        throw new ParleyException(
            ParleyException.Kind.FAILED,
            Git.FAILED,
            "The work is saved as " + ref + ", but " + trouble + ".",
            "Look at the repository with git status, then try again.");
      }
    }
  }

  /**
   * Commits everything to {@code wip/ralph-fail-<task>-<time>}, then resets the branch. Hooks do
   * not run, because a failing hook would lose the work. What git can't commit stays where it is.
   *
   * @param branch the branch that was worked on
   * @param start where it was before the work began
   */
  public static Saved save(Git git, String branch, String start, String task, String message)
      throws IOException {
    TreeState state = TreeState.of(git);
    boolean moved = !start.equals(git.commit("refs/heads/" + branch));
    if (state.isClean() && !moved && branch.equals(state.branch())) {
      return new Saved(branch, true, "");
    }
    // An unfinished merge or rebase can't be committed, so it is saved as it is.
    String rescue = state.isClean() ? branch : Rescue.save(git, Worktrees.unreachable(git));
    try {
      String wip = commit(git, branch, start, moved, "wip/ralph-fail-" + task, message);
      List<String> left = TreeState.of(git).changed();
      return new Saved(wip, true, left.isEmpty() ? "" : left.getFirst() + " could not be saved");
    } catch (ParleyException e) {
      if (!e.code().equals(Git.FAILED)) {
        throw e;
      }
      return new Saved(rescue, false, "the tree could not be put back: " + e.what());
    }
  }

  private static String commit(
      Git git, String branch, String start, boolean moved, String name, String message) {
    String wip = create(git, name + "-" + TIME.format(Instant.now()));
    var _ = git.attempt("add", "--all", "--ignore-errors");
    List<String> commit = new ArrayList<>(git.identity());
    commit.addAll(
        List.of("commit", "--quiet", "--no-verify", "--allow-empty", "--cleanup=verbatim", "-m"));
    commit.add(message);
    var _ = git.run(commit.toArray(String[]::new));
    if (moved) {
      putBack(git, branch, start, wip);
    }
    var _ = git.run("switch", "--quiet", branch);
    return wip;
  }

  /** Resets a branch to its start. Commits that would become unreachable get a branch as well. */
  private static void putBack(Git git, String branch, String start, String wip) {
    String ref = "refs/heads/" + branch;
    String tip = git.commit(ref);
    if (tip != null && !git.isAncestor(tip, "HEAD")) {
      var _ = git.run("branch", "--quiet", wip + "-tip", tip);
    }
    var _ = git.run("update-ref", ref, start, tip == null ? "" : tip);
  }

  /** Creates the branch. If another failure of the same second took the name, a number is added. */
  private static String create(Git git, String name) {
    Git.Result result = git.attempt("switch", "--quiet", "-c", name);
    for (int n = 2; !result.ok() && n < MOST_NAMES; n++) {
      String next = name + "-" + n;
      if (git.commit("refs/heads/" + name) == null) {
        break; // the name is free, so git refuses for another reason
      }
      result = git.attempt("switch", "--quiet", "-c", next);
      if (result.ok()) {
        return next;
      }
    }
    if (!result.ok()) {
      throw Git.failed(result, "switch");
    }
    return name;
  }
}
