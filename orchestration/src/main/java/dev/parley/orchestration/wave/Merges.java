package dev.parley.orchestration.wave;

import dev.parley.core.json.Json;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.gate.Detection;
import dev.parley.orchestration.gate.Evidence;
import dev.parley.orchestration.gate.Gate;
import dev.parley.orchestration.gate.GateRun;
import dev.parley.orchestration.git.Git;
import dev.parley.orchestration.git.MergeTree;
import dev.parley.orchestration.git.Trailers;
import dev.parley.orchestration.git.Worktrees;
import dev.parley.orchestration.loop.LoopTypes;
import dev.parley.orchestration.plan.PlannedTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Merges finished tasks one at a time in a worktree of its own, and runs the gates again there. */
final class Merges {
  private final Run run;
  private final Git git;
  private final Worktrees worktrees;
  private final WaveRecord record;
  private final Path path;
  private @Nullable MergeTree tree;

  Merges(Run run, Git git, Worktrees worktrees, WaveRecord record) {
    this.run = run;
    this.git = git;
    this.worktrees = worktrees;
    this.record = record;
    this.path = record.trees(git).resolve("merge-" + record.run());
  }

  /**
   * The result of a merge.
   *
   * @param commit null if it was not merged
   */
  record Outcome(@Nullable String commit, List<String> files, String why) {
    static Outcome not(String why) {
      return new Outcome(null, List.of(), why);
    }
  }

  /** Creates the worktree, or takes over the one of a killed process. */
  void open() {
    if (!Files.isDirectory(path)) {
      worktrees.prune();
      tree = new MergeTree(worktrees.addDetached(path, tip()));
    } else {
      tree = new MergeTree(new Git(path));
    }
  }

  /** The merged commit, on which the next task begins. */
  String tip() {
    String tip = git.commit("refs/heads/" + record.mergedBranch());
    return tip == null ? record.base() : tip;
  }

  /** The commits of merged tasks, found in git. */
  Map<String, String> found() {
    return Trailers.commits(git, record.base(), tip(), record.run());
  }

  Outcome merge(PlannedTask task, TaskStatus status) throws InterruptedException {
    MergeTree where = Objects.requireNonNull(tree);
    String tip = tip();
    String message =
        Trailers.message("Task " + task.number() + ": " + task.title(), record.run(), task.name());
    MergeTree.Result result = where.squash(tip, String.valueOf(status.branch()), message);
    return switch (result) {
      case MergeTree.Result.Conflict conflict ->
          Outcome.not("conflict in " + String.join(", ", conflict.files()));
      case MergeTree.Result.Refused refused -> Outcome.not("not merged: " + refused.why());
      case MergeTree.Result.Nothing _ -> Outcome.not("it brings nothing new");
      case MergeTree.Result.Merged merged -> {
        String red = gates(where.git(), task, merged.commit());
        if (red != null) {
          where.reset(tip);
          yield Outcome.not("red after the merge: " + red);
        }
        List<String> files =
            List.of(
                git.run("diff", "--name-only", "--no-renames", tip, merged.commit())
                    .split("\n", -1));
        // From here on the task is merged, even if this process is killed.
        var _ =
            git.run(
                "update-ref",
                "refs/heads/" + record.mergedBranch(),
                merged.commit(),
                git.commit("refs/heads/" + record.mergedBranch()) == null ? "" : tip);
        yield new Outcome(merged.commit(), files, "");
      }
    };
  }

  /**
   * Runs the gates on the merged commit. Returns the failed gate's summary; null if none failed.
   */
  private @Nullable String gates(Git merged, PlannedTask task, String commit)
      throws InterruptedException {
    List<Gate> gates = new ArrayList<>();
    Gate tests = Detection.tests(merged.folder(), record.settings().times().test());
    if (tests != null) {
      gates.add(tests);
    }
    gates.addAll(record.settings().gates());
    for (Gate gate : gates) {
      Evidence said =
          new GateRun(merged.folder(), run.variables(), run::isStopped).run(gate, commit);
      run.say(
          LoopTypes.GATE,
          Json.object()
              .put("task", task.name())
              .put("merge", true)
              .put("evidence", said.json())
              .build());
      if (!said.passed()) {
        run.folder()
            .append(
                "artifacts/gates-" + task.name() + ".txt",
                "=== after the merge: " + said.summary() + " ===\n" + said.output() + "\n");
        return said.summary();
      }
    }
    return null;
  }

  /** Removes the worktree, which has nothing but what builds have left. */
  void close() throws IOException {
    MergeTree where = tree;
    if (where != null) {
      where.reset(tip());
      where.forget();
      var _ = worktrees.remove(path);
      tree = null;
    }
  }
}
