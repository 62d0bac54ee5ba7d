package dev.parley.orchestration.git;

import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the work of a task goes that came to nothing: a branch of its own with everything on it, so
 * that the tree can be as it was before.
 */
public final class WipBranch {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);
  private static final int MOST_NAMES = 1_000;

  private WipBranch() {}

  /**
   * Commits everything to {@code wip/ralph-fail-<task>-<time>}, then goes back to the branch as it
   * was. Hooks are not asked: nothing must be lost because of one.
   *
   * @param branch the branch that was worked on
   * @param start where it stood before the work began
   * @return the branch that has the work; the branch itself if there was none
   */
  public static String save(Git git, String branch, String start, String task, String message)
      throws IOException {
    TreeState state = TreeState.of(git);
    boolean moved = !start.equals(git.commit("refs/heads/" + branch));
    if (state.isClean() && !moved && branch.equals(state.branch())) {
      return branch;
    }
    if (!state.isClean()) {
      // A merge or rebase that the agent has left unfinished can't be committed: saved as it is.
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

  /** Sets a branch to where it stood; commits that this would make unreachable get a branch too. */
  private static void putBack(Git git, String branch, String start, String wip) {
    String ref = "refs/heads/" + branch;
    String tip = git.commit(ref);
    if (tip != null && !git.isAncestor(tip, "HEAD")) {
      var _ = git.run("branch", "--quiet", wip + "-tip", tip);
    }
    var _ = git.run("update-ref", ref, start, tip == null ? "" : tip);
  }

  /** A name may be taken, by a failure in the same second; then it gets a number. */
  private static String create(Git git, String name) {
    Git.Result result = git.attempt("switch", "--quiet", "-c", name);
    for (int n = 2; !result.ok() && n < MOST_NAMES; n++) {
      String next = name + "-" + n;
      if (git.commit("refs/heads/" + name) == null) {
        break; // it is not the name that git does not like
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
