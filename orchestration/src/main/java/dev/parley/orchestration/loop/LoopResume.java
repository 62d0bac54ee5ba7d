package dev.parley.orchestration.loop;

import dev.parley.orchestration.git.Git;
import dev.parley.orchestration.git.Snapshot;
import dev.parley.orchestration.git.Trailers;
import dev.parley.orchestration.git.TreeState;
import dev.parley.orchestration.git.WipBranch;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Finds what a killed loop left: finished but unrecorded work, or half an iteration. */
final class LoopResume {
  private LoopResume() {}

  /**
   * The commit of work that passed all gates, if the process was killed before it recorded the
   * commit; null if there is none. It has exactly the files and the parent that the gates checked.
   */
  static @Nullable String committed(Git git, LoopProgress.Last last, String run, String task) {
    String head = git.commit("HEAD");
    if (head == null || last.checked().isEmpty()) {
      return null;
    }
    String parent = git.commit("HEAD~1");
    String seen = parent + "+" + git.run("rev-parse", "HEAD^{tree}");
    boolean checked = last.checked().equals(head) || last.checked().equals(seen);
    boolean ours =
        parent != null
            && head.equals(Trailers.commits(git, parent, head, run).get(task))
            && TreeState.of(git).isClean();
    return checked && ours ? head : null;
  }

  /**
   * Resets branch and files to the beginning of the interrupted iteration.
   *
   * @return the branch with the interrupted work; null if there was none
   */
  static @Nullable String putBack(Git git, LoopProgress progress, String run, String task)
      throws IOException {
    TreeState state = TreeState.of(git);
    String tip = git.commit("refs/heads/" + progress.branch());
    boolean nothing =
        state.isClean()
            && progress.branch().equals(state.branch())
            && tip != null
            && git.isAncestor(tip, progress.head());
    String saved = null;
    if (!nothing) {
      String message = Trailers.message("wip: " + task + ": interrupted", run, task);
      WipBranch.Saved work = WipBranch.save(git, progress.branch(), progress.head(), task, message);
      work.check();
      saved = work.ref();
    }
    if (!progress.head().equals(git.commit("HEAD"))) {
      var _ = git.run("reset", "--quiet", "--hard", progress.head());
    }
    Snapshot.putBack(git, progress.tree());
    return progress.branch().equals(saved) ? null : saved;
  }
}
