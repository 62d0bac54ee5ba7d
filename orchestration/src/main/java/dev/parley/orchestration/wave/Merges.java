package dev.parley.orchestration.wave;

import dev.parley.core.json.Json;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.gate.Evidence;
import dev.parley.orchestration.gate.Gate;
import dev.parley.orchestration.gate.GateRun;
import dev.parley.orchestration.gate.TestDetection;
import dev.parley.orchestration.git.Git;
import dev.parley.orchestration.git.MergeTree;
import dev.parley.orchestration.git.Rescue;
import dev.parley.orchestration.git.Trailers;
import dev.parley.orchestration.git.Worktrees;
import dev.parley.orchestration.loop.LoopTypes;
import dev.parley.orchestration.loop.TreeCommands;
import dev.parley.orchestration.plan.PlannedTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Merges finished tasks one at a time in a worktree of its own, and runs the gates again there. */
final class Merges {
  private final Run run;
  private final Git git;
  private final Worktrees worktrees;
  private final WaveRecord record;
  private final TreeCommands commands;
  private final Consumer<String> remarks;
  private final String ref;
  private final Path path;
  private @Nullable MergeTree tree;

  /**
   * @param commands prepare the worktree before the gates of each merge
   */
  Merges(Run run, Git git, WaveRecord record, TreeCommands commands, Consumer<String> remarks) {
    this.run = run;
    this.git = git;
    this.worktrees = new Worktrees(git);
    this.record = record;
    this.commands = commands;
    this.remarks = remarks;
    this.ref = "refs/heads/" + record.mergedBranch();
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
  void open() throws IOException, InterruptedException {
    if (!Files.isDirectory(path)) {
      worktrees.prune();
      tree = new MergeTree(worktrees.addDetached(path, tip()));
    } else {
      tree = new MergeTree(new Git(path));
      cleanUp();
    }
  }

  /**
   * The merged commit, on which the next task begins. The branch belongs to this run: what somebody
   * else did to it is saved and undone.
   */
  String tip() {
    String expected = record.tip();
    String there = git.commit(ref);
    boolean untouched = there == null ? expected.equals(record.base()) : there.equals(expected);
    if (!untouched) {
      String saved =
          there == null ? "" : "; what it was set to is " + Rescue.keep(git, there, "merged");
      String[] restore =
          expected.equals(record.base())
              ? new String[] {"update-ref", "-d", ref}
              : new String[] {"update-ref", ref, expected};
      var _ = git.run(restore);
      remarks.accept(
          "the branch "
              + record.mergedBranch()
              + " was changed by somebody else, and is put back"
              + saved);
    }
    return expected;
  }

  /**
   * The task whose merge a killed process did not record; null if there is none. Its commit is the
   * next after the last recorded, and all gates have passed on it.
   */
  @Nullable TaskStatus unrecorded() {
    String there = git.commit(ref);
    if (there == null || !record.isGated(there) || there.equals(record.tip())) {
      return null;
    }
    Map<String, String> commits = Trailers.commits(git, record.tip(), there, record.run());
    return record.tasks().stream()
        .filter(task -> task.state() == TaskStatus.State.WORKED)
        .filter(task -> there.equals(commits.get(record.planned(task.number()).name())))
        .filter(_ -> record.tip().equals(git.commit(there + "~1")))
        .findFirst()
        .map(task -> task.at(TaskStatus.State.MERGED, there))
        .orElse(null);
  }

  Outcome merge(PlannedTask task, TaskStatus status) throws IOException, InterruptedException {
    MergeTree where = Objects.requireNonNull(tree);
    String tip = tip();
    String message =
        Trailers.message("Task " + task.number() + ": " + task.title(), record.run(), task.name());
    // The commit that passed the gates: its branch may have been moved since.
    MergeTree.Result result = where.squash(tip, String.valueOf(status.commit()), message);
    return switch (result) {
      case MergeTree.Result.Conflict conflict ->
          Outcome.not("conflict in " + String.join(", ", conflict.files()));
      case MergeTree.Result.Refused refused -> Outcome.not("not merged: " + refused.why());
      case MergeTree.Result.Nothing _ -> Outcome.not("it brings nothing new");
      case MergeTree.Result.Merged merged -> {
        String red = gates(where.git(), task, merged.commit());
        if (red != null) {
          where.reset(tip);
          yield Outcome.not("failed after the merge: " + red);
        }
        List<String> files =
            List.of(
                git.run("diff", "--name-only", "--no-renames", tip, merged.commit())
                    .split("\n", -1));
        say(task, Evidence.passed(WaveRecord.MERGE, "", merged.commit()));
        // From here on the task is merged, even if this process is killed.
        String before = tip().equals(record.base()) ? "" : tip;
        var _ = git.run("update-ref", ref, merged.commit(), before);
        yield new Outcome(merged.commit(), files, "");
      }
    };
  }

  /**
   * Runs the gates on the merged commit. Returns the failed gate's summary; null if none failed.
   */
  private @Nullable String gates(Git merged, PlannedTask task, String commit)
      throws IOException, InterruptedException {
    Evidence ready = commands.prepare(merged, TreeCommands.COMMON_SLOT);
    if (ready != null && !ready.passed()) {
      return failed(task, ready);
    }
    List<Gate> gates = new ArrayList<>();
    Gate tests = TestDetection.tests(merged.folder(), record.settings().times().test());
    if (tests != null) {
      gates.add(tests);
    }
    gates.addAll(record.settings().gates());
    Map<String, String> variables = new HashMap<>(run.variables());
    variables.putAll(TreeCommands.variables(run, TreeCommands.COMMON_SLOT));
    for (Gate gate : gates) {
      Evidence said = new GateRun(merged.folder(), variables, run::isStopped).run(gate, commit);
      say(task, said);
      if (!said.passed()) {
        return failed(task, said);
      }
    }
    return null;
  }

  private void say(PlannedTask task, Evidence evidence) {
    run.say(
        LoopTypes.GATE,
        Json.object()
            .put("task", task.name())
            .put("merge", true)
            .put("evidence", evidence.json())
            .build());
  }

  private String failed(PlannedTask task, Evidence evidence) {
    run.folder()
        .append(
            "artifacts/gates-" + task.name() + ".txt",
            "=== after the merge: " + evidence.summary() + " ===\n" + evidence.output() + "\n");
    return evidence.summary();
  }

  private void cleanUp() throws IOException, InterruptedException {
    Evidence cleaned = commands.cleanUp(new Git(path), TreeCommands.COMMON_SLOT);
    if (cleaned != null && !cleaned.passed()) {
      remarks.accept("the worktree of merges: " + cleaned.summary());
    }
  }

  /** Removes the worktree, which has nothing but what builds have left. */
  void close() throws IOException, InterruptedException {
    MergeTree where = tree;
    if (where != null) {
      cleanUp();
      where.reset(tip());
      where.forget();
      var _ = worktrees.remove(path);
      tree = null;
    }
  }
}
