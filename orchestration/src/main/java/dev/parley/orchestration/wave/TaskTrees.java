package dev.parley.orchestration.wave;

import dev.parley.core.ParleyException;
import dev.parley.orchestration.gate.Evidence;
import dev.parley.orchestration.git.Git;
import dev.parley.orchestration.git.Worktrees;
import dev.parley.orchestration.loop.TreeCommands;
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
  private final TreeCommands commands;
  private final Consumer<String> remarks;
  private final Consumer<String> told;
  private final List<String> kept = new ArrayList<>();

  /**
   * @param folder where they are made
   * @param commands clean up after a worktree before it goes
   * @param remarks receives the worktrees that are kept
   * @param told receives the ignored files of a worktree that is about to go
   */
  TaskTrees(
      Git git,
      Path folder,
      TreeCommands commands,
      Consumer<String> remarks,
      Consumer<String> told) {
    this.git = git;
    this.folder = folder;
    this.worktrees = new Worktrees(git);
    this.commands = commands;
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

  /**
   * Cleans up after a task's worktree and removes it by the rule. A worktree that is kept is
   * reported.
   */
  void remove(TaskStatus status, int slot) throws IOException, InterruptedException {
    if (status.tree() == null || !Files.isDirectory(Path.of(status.tree()))) {
      return;
    }
    Path tree = Path.of(status.tree());
    Evidence cleaned = commands.cleanUp(new Git(tree), slot);
    if (cleaned != null && !cleaned.passed()) {
      remarks.accept("task-" + status.number() + ": " + cleaned.summary());
    }
    Worktrees.Removal removal;
    synchronized (this) {
      removal = worktrees.remove(tree, finding -> tell(status, finding.ignored()));
      if (removal.removed()) {
        return;
      }
      kept.add(text(status, removal));
    }
    remarks.accept(text(status, removal));
  }

  private void tell(TaskStatus status, List<String> ignored) {
    if (!ignored.isEmpty()) {
      told.accept(
          "task-"
              + status.number()
              + ": ignored files go with its worktree: "
              + String.join(", ", ignored));
    }
  }

  private static String text(TaskStatus status, Worktrees.Removal removal) {
    String saved = removal.rescue() == null ? "" : "; saved as " + removal.rescue();
    return status.tree() + " is kept: " + String.join(", ", removal.finding().reasons()) + saved;
  }

  /** Worktrees that were not removed, with the reason. */
  synchronized List<String> kept() {
    return List.copyOf(kept);
  }
}
