package dev.parley.orchestration.wave;

import dev.parley.core.ParleyException;
import dev.parley.orchestration.git.Exclusions;
import dev.parley.orchestration.git.Git;
import dev.parley.orchestration.git.TreeState;
import dev.parley.orchestration.loop.Loop;
import dev.parley.orchestration.plan.PlanFile;
import dev.parley.orchestration.plan.PlannedTask;
import java.io.IOException;
import java.util.List;

/** A checked plan, and the repository for it. */
public record WaveStart(Git git, TreeState state, List<PlannedTask> plan) {

  /**
   * Checks a plan and the repository.
   *
   * @throws ParleyException INVALID with all errors of the plan; REFUSED if the tree is dirty,
   *     detached, on main or behind its upstream
   */
  public static WaveStart check(Git git, String plan, boolean allowMain) throws IOException {
    List<PlannedTask> tasks = PlanFile.read(plan);
    Exclusions.ensure(git);
    TreeState state = Loop.check(git, allowMain);
    String upstream = state.upstream();
    if (upstream != null) {
      // Its own name may have slashes, and "." means this repository.
      Git.Result remote = git.attempt("config", "branch." + state.branch() + ".remote");
      Git.Result fetched =
          remote.line().equals(".") ? null : git.attempt("fetch", "--quiet", remote.line());
      state = TreeState.of(git);
      if (fetched != null && !fetched.ok()) {
        throw ParleyException.refused(
            "no-fetch",
            "The branch follows " + upstream + ", which can't be fetched: " + fetched.err().strip(),
            "Check the connection; or give the branch no upstream: git branch --unset-upstream.");
      }
      if (state.behind() > 0) {
        throw ParleyException.refused(
            "behind",
            "The branch is " + state.behind() + " commits behind " + upstream + ".",
            "Bring it up to date first: git pull --rebase.");
      }
    }
    return new WaveStart(git, state, tasks);
  }
}
