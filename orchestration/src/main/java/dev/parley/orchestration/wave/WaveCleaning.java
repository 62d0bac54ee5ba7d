package dev.parley.orchestration.wave;

import dev.parley.core.Log;
import dev.parley.orchestration.ask.RunRecord;
import dev.parley.orchestration.git.Git;
import dev.parley.orchestration.git.Worktrees;
import dev.parley.orchestration.wave.TaskStatus.State;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What runs in waves have left in a repository, and what of it can go.
 *
 * <pre>
 * worktrees in .worktrees, or where a run had them     by the rule of {@link Worktrees}
 * branch of a task that is merged, of a complete run  goes
 * branch whose commits the user's branch has          goes
 * any other branch                                    stays, and is named
 * </pre>
 *
 * @param branches that can go
 * @param staying branches that can't, and why
 */
public record WaveCleaning(
    List<Worktrees.Finding> trees, List<String> branches, List<String> staying) {

  /** Examines the repository, changing nothing. */
  public static WaveCleaning look(Git git, Log log) {
    Set<Path> folders = new HashSet<>(Set.of(git.folder().resolve(WaveSettings.TREES)));
    List<String> branches = new ArrayList<>();
    List<String> staying = new ArrayList<>();
    for (RunRecord run : RunRecord.all(log)) {
      if (run.kind().equals(WaveRunner.KIND)) {
        WaveRecord record = WaveRecord.of(log, run);
        folders.add(record.trees(git));
        branches(git, record, run, branches, staying);
      }
    }
    Worktrees worktrees = new Worktrees(git);
    List<Worktrees.Finding> trees =
        worktrees.list().stream()
            .filter(tree -> !tree.main() && folders.stream().anyMatch(tree.path()::startsWith))
            .map(tree -> worktrees.examine(tree.path()))
            .toList();
    return new WaveCleaning(trees, List.copyOf(branches), List.copyOf(staying));
  }

  private static void branches(
      Git git, WaveRecord record, RunRecord run, List<String> going, List<String> staying) {
    List<String> all =
        git.run(
                "for-each-ref",
                "--format=%(refname:short)",
                "refs/heads/parley/" + record.run() + "/")
            .lines()
            .toList();
    boolean complete = run.outcome().equals("complete");
    for (String branch : all) {
      boolean merged =
          record.tasks().stream()
              .anyMatch(task -> branch.equals(task.branch()) && task.state() == State.MERGED);
      if (!complete) {
        staying.add(branch + ": the run can be resumed");
      } else if (merged || git.isAncestor(branch, record.branch())) {
        going.add(branch);
      } else {
        staying.add(branch + ": it has commits that are not in " + record.branch());
      }
    }
  }

  /** Cleans up. Returns what was kept anyway, with the reason. */
  public List<String> carryOut(Git git) throws IOException {
    Worktrees worktrees = new Worktrees(git);
    List<String> kept = new ArrayList<>(staying);
    for (Worktrees.Finding tree : trees) {
      Worktrees.Removal removal = worktrees.remove(tree.path());
      if (!removal.removed()) {
        kept.add(
            tree.path()
                + ": "
                + String.join(", ", removal.finding().reasons())
                + (removal.rescue() == null ? "" : "; saved as " + removal.rescue()));
      }
    }
    for (String branch : branches) {
      Git.Result result = git.attempt("branch", "--quiet", "-D", "--", branch);
      if (!result.ok()) {
        kept.add(branch + ": " + result.err().strip());
      }
    }
    return kept;
  }
}
