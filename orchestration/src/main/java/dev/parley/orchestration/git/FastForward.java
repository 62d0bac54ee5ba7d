package dev.parley.orchestration.git;

/** Moves the user's branch forward to finished work without losing any of the user's. */
public final class FastForward {
  private FastForward() {}

  /**
   * Fast-forwards the branch if the user's tree is on it, is clean, and the commit comes after it.
   *
   * @return whether the branch is at the commit now
   */
  public static boolean to(Git git, String branch, String commit) {
    TreeState now = TreeState.of(git);
    return branch.equals(now.branch())
        && now.isClean()
        && (commit.equals(now.head()) || git.attempt("merge", "--ff-only", "--quiet", commit).ok());
  }
}
