package dev.parley.orchestration.moderate;

import dev.parley.core.json.Json;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.gate.Evidence;
import dev.parley.orchestration.gate.Gate;
import dev.parley.orchestration.gate.GateRun;
import dev.parley.orchestration.gate.TestDetection;
import dev.parley.orchestration.git.Git;
import dev.parley.orchestration.git.MergeTree;
import dev.parley.orchestration.git.Worktrees;
import dev.parley.orchestration.loop.LoopTypes;
import dev.parley.orchestration.loop.TreeCommands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The moderator's own worktree, where commits are reviewed. Nobody works there, so everything that
 * a reviewer or a build leaves is deleted.
 */
final class ReviewWorktree {
  private final Run run;
  private final Git git;
  private final ModerateSettings settings;
  private final Path path;
  private @Nullable MergeTree tree;

  ReviewWorktree(Run run, Git git, ModerateSettings settings) {
    this.run = run;
    this.git = git;
    this.settings = settings;
    this.path = git.folder().resolve(".worktrees").resolve("moderator-" + run.id());
  }

  /** Checks out a commit into a clean tree. */
  Git at(String commit) {
    MergeTree there = tree;
    if (there == null) {
      if (!Files.isDirectory(path)) {
        Worktrees worktrees = new Worktrees(git);
        worktrees.prune();
        there = new MergeTree(worktrees.addDetached(path, commit));
      } else {
        there = new MergeTree(new Git(path));
      }
      tree = there;
    }
    there.reset(commit);
    return there.git();
  }

  /**
   * Runs the project's tests and gates on a commit; empty if there are none. The commands that
   * prepare a worktree run before, because the commit may need something else than the last one.
   */
  List<Evidence> gates(String task, int iteration, String commit)
      throws IOException, InterruptedException {
    Git checkout = at(commit);
    List<Gate> gates = new ArrayList<>();
    Gate tests = TestDetection.tests(checkout.folder(), settings.times().test());
    if (tests != null) {
      gates.add(tests);
    }
    gates.addAll(settings.gates());
    List<Evidence> all = new ArrayList<>();
    Evidence ready = settings.commands(run).prepare(checkout, TreeCommands.COMMON_SLOT);
    if (ready != null && !ready.passed()) {
      all.add(ready);
    }
    Map<String, String> variables = new HashMap<>(run.variables());
    variables.putAll(TreeCommands.variables(run, TreeCommands.COMMON_SLOT));
    for (Gate gate : gates) {
      Evidence said = new GateRun(checkout.folder(), variables, run::isStopped).run(gate, commit);
      run.say(
          LoopTypes.GATE,
          Json.object()
              .put("task", task)
              .put("iteration", iteration)
              .put("review", true)
              .put("evidence", said.json())
              .build());
      run.folder()
          .append(
              "artifacts/gates-" + task + ".txt",
              "=== review " + iteration + ": " + said.summary() + " ===\n" + said.output() + "\n");
      all.add(said);
    }
    return all;
  }

  /** Removes the worktree. */
  void close(String commit) throws IOException, InterruptedException {
    MergeTree there = tree;
    if (there == null && Files.isDirectory(path)) {
      there = new MergeTree(new Git(path));
    }
    if (there != null) {
      var _ = settings.commands(run).cleanUp(new Git(path), TreeCommands.COMMON_SLOT);
      there.reset(commit);
      there.forget();
      var _ = new Worktrees(git).remove(path);
      tree = null;
    }
  }
}
