package dev.parley.orchestration.git;

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
   * Commits everything to {@code wip/ralph-fail-<task>-<time>}, then resets the branch. Hooks do
   * not run, because a failing hook would lose the work.
   *
   * @param branch the branch that was worked on
   * @param start where it was before the work began
   * @return the branch with the work; the branch itself if there was none
   */
  public static String save(Git git, String branch, String start, String task, String message)
      throws IOException {
    TreeState state = TreeState.of(git);
    boolean moved = !start.equals(git.commit("refs/heads/" + branch));
    if (state.isClean() && !moved && branch.equals(state.branch())) {
      return branch;
    }
    if (!state.isClean()) {
      // An unfinished merge or rebase can't be committed, so it is saved as it is.
      var _ = Rescue.save(git, Worktrees.unreachable(git));
    }
    String wip = create(git, "wip/ralph-fail-" + task + "-" + TIME.format(Instant.now()));
    var _ = git.run("add", "--all");
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
