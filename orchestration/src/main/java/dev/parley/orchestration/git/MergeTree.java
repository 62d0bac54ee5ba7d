package dev.parley.orchestration.git;

import java.util.List;

/**
 * A worktree of Parley's own, where branches are merged one at a time. Nobody works in it, so it
 * may be reset.
 */
public final class MergeTree {
  private final Git git;

  /**
   * @param git a worktree with a detached head that only merges use
   */
  public MergeTree(Git git) {
    this.git = git;
  }

  /** What came of a merge. */
  public sealed interface Result {
    /** A commit on top of the tip; no ref points to it yet. */
    record Merged(String commit) implements Result {}

    record Conflict(List<String> files) implements Result {}

    /** The tip has everything of the branch already. */
    record Nothing() implements Result {}

    /** Git or a hook of the repository refused. */
    record Refused(String why) implements Result {}
  }

  public Git git() {
    return git;
  }

  /** Removes what builds and failed merges left here, and checks out a commit. */
  public void reset(String commit) {
    var _ = git.attempt("merge", "--abort");
    var _ = git.run("reset", "--quiet", "--hard");
    var _ = git.run("clean", "-fdq");
    var _ = git.run("checkout", "--quiet", "--detach", commit);
  }

  /**
   * Drops the reflog of abandoned merges, whose content is all in the branches they were made of.
   */
  public void forget() {
    var _ = git.attempt("update-ref", "-d", "ORIG_HEAD");
    var _ = git.attempt("reflog", "expire", "--expire=now", "HEAD");
  }

  /** Puts all changes of a branch on top of a tip, as one commit. */
  public Result squash(String tip, String branch, String message) {
    reset(tip);
    Git.Result merge = git.attempt("merge", "--squash", "--quiet", branch);
    List<String> conflicts =
        git.items("diff", "--name-only", "--diff-filter=U", "-z").stream().distinct().toList();
    if (!conflicts.isEmpty()) {
      reset(tip);
      return new Result.Conflict(conflicts);
    }
    if (!merge.ok()) {
      reset(tip);
      return new Result.Refused(merge.err().strip());
    }
    if (git.attempt("diff", "--cached", "--quiet").ok()) {
      return new Result.Nothing();
    }
    List<String> commit = new java.util.ArrayList<>(git.identity());
    commit.addAll(List.of("commit", "--quiet", "--cleanup=verbatim", "-m", message));
    Git.Result done = git.attempt(commit.toArray(String[]::new));
    if (!done.ok()) {
      reset(tip);
      return new Result.Refused((done.err() + done.out()).strip());
    }
    return new Result.Merged(git.run("rev-parse", "HEAD"));
  }
}
