package dev.parley.orchestration.wave;

import dev.parley.core.ParleyException;
import dev.parley.orchestration.git.Git;
import dev.parley.orchestration.git.Worktrees;
import dev.parley.orchestration.plan.PlannedTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The worktrees of tasks. They get unused names and are removed by the rule of {@link Worktrees}.
 * Safe for use by many threads: git adds and removes one at a time.
 */
final class TaskTrees {
  private static final int MOST_ATTEMPTS = 1_000;

  private final Git git;
  private final Path folder;
  private final Worktrees worktrees;
  private final Consumer<String> remarks;
  private final Consumer<String> told;
  private final List<String> kept = new ArrayList<>();

  /**
   * @param folder where they are made
   * @param remarks receives the worktrees that are kept
   * @param told receives the ignored files that are deleted with a worktree
   */
  TaskTrees(
      Git git, Path folder, Worktrees worktrees, Consumer<String> remarks, Consumer<String> told) {
    this.git = git;
    this.folder = folder;
    this.worktrees = worktrees;
    this.remarks = remarks;
    this.told = told;
  }

  /**
   * Makes a worktree and a branch for the next attempt of a task.
   *
   * @param say records it before it is made, so that no worktree of a killed process is unknown
   */
  synchronized Git make(
      String run, PlannedTask task, TaskStatus status, String tip, Consumer<TaskStatus> say) {
    for (int attempt = status.attempt() + 1; attempt < MOST_ATTEMPTS; attempt++) {
      String name = attempt == 1 ? task.path() : task.path() + "-" + attempt;
      Path path = folder.resolve(name);
      String branch = "parley/" + run + "/" + name;
      if (!Files.exists(path) && git.commit("refs/heads/" + branch) == null) {
        say.accept(status.running(attempt, branch, path.toString(), tip));
        return worktrees.add(path, branch, tip);
      }
    }
    throw ParleyException.refused(
        "no-worktree",
        "There are too many worktrees of " + task.name() + ".",
        "parley waves clean shows which can go.");
  }

  /** Removes a task's worktree by the rule. A worktree that is kept is reported. */
  void remove(TaskStatus status) throws IOException {
    if (status.tree() == null || !Files.isDirectory(Path.of(status.tree()))) {
      return;
    }
    String text;
    synchronized (this) {
      Worktrees.Removal removal = worktrees.remove(Path.of(status.tree()));
      if (removal.removed()) {
        List<String> ignored = removal.finding().ignored();
        if (!ignored.isEmpty()) {
          told.accept(
              "task-"
                  + status.number()
                  + ": ignored files went with its worktree: "
                  + String.join(", ", ignored));
        }
        return;
      }
      String saved = removal.rescue() == null ? "" : "; saved as " + removal.rescue();
      text = status.tree() + " is kept: " + String.join(", ", removal.finding().reasons()) + saved;
      kept.add(text);
    }
    remarks.accept(text);
  }

  /** Worktrees that were not removed, with the reason. */
  synchronized List<String> kept() {
    return List.copyOf(kept);
  }
}
