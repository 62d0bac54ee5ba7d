package dev.parley.orchestration.loop;

import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.orchestration.ask.Answer;
import dev.parley.orchestration.ask.Ask;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.gate.Evidence;
import dev.parley.orchestration.gate.Gate;
import dev.parley.orchestration.gate.GateRun;
import dev.parley.orchestration.gate.TestDetection;
import dev.parley.orchestration.git.Exclusions;
import dev.parley.orchestration.git.Git;
import dev.parley.orchestration.git.Snapshot;
import dev.parley.orchestration.git.Trailers;
import dev.parley.orchestration.git.TreeState;
import dev.parley.orchestration.git.WipBranch;
import dev.parley.orchestration.loop.LoopResult.Outcome;
import dev.parley.text.Explanation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lets an agent try a task until all gates pass.
 *
 * <pre>
 * iteration: implement ──▶ change ──▶ leases ──▶ test ──▶ spec ──▶ more gates ──▶ commit ──▶ done
 *               └───────────┴───────────┴─────────┴────────┴───────────┴────────────┘
 *                 a gate fails: its output is the context of the next iteration
 * </pre>
 *
 * <p>Gates check what was staged after the agent's turn, and exactly that is committed.
 */
public final class Loop {
  /**
   * The stage in which an agent does the work, and the name of the gate that fails if the agent
   * does.
   */
  public static final String IMPLEMENT = "implement";

  private final Run run;
  private final LoopSettings settings;
  private final OtherWorkers others;
  private final Git git;
  private final LoopFiles files;
  private final long began = System.nanoTime();
  private final LoopEvidence seen;
  private LoopProgress progress;

  private Loop(
      Run run, LoopSettings settings, OtherWorkers others, Git git, LoopProgress progress) {
    this.run = run;
    this.settings = settings;
    this.others = others;
    this.git = git;
    this.files = new LoopFiles(git.folder(), settings);
    this.progress = progress;
    this.seen = new LoopEvidence(run, settings.name(), progress.remarks());
  }

  /**
   * Runs the loop in a working tree.
   *
   * @throws ParleyException REFUSED if the tree is dirty, on no branch or on the main one, or
   *     another loop works there
   */
  public static LoopResult run(Run run, LoopSettings settings, OtherWorkers others, Git git)
      throws IOException, InterruptedException {
    Exclusions.ensure(git);
    TreeState state = check(git, settings.checks().allowMain());
    String start = String.valueOf(state.head());
    LoopProgress progress =
        LoopProgress.begin(
            String.valueOf(state.branch()), start, git.run("rev-parse", start + "^{tree}"));
    try (LoopLock _ = LoopLock.take(git.folder())) {
      return new Loop(run, settings, others, git, progress).work();
    }
  }

  /**
   * Resumes a killed loop at its last recorded iteration: the files are reset to the beginning of
   * the interrupted one, whose work is saved on a branch.
   *
   * @throws ParleyException REFUSED if a loop works there
   */
  public static LoopResult resume(Run run, LoopSettings settings, OtherWorkers others, Git git)
      throws IOException, InterruptedException {
    LoopProgress.Last last = LoopProgress.Last.of(run.context().log(), run.id(), settings.name());
    LoopProgress before = last.progress();
    if (before == null) {
      return run(run, settings, others, git); // killed before its first iteration
    }
    Exclusions.ensure(git);
    try (LoopLock _ = LoopLock.take(git.folder())) {
      String done = LoopResume.committed(git, last, run.id(), settings.name());
      if (done != null) {
        new LoopFiles(git.folder(), settings).remove();
        return end(run, settings, LoopResult.done(before.iterations() + 1, done));
      }
      String saved = LoopResume.putBack(git, before, run.id(), settings.name());
      Loop loop = new Loop(run, settings, others, git, before.resumed());
      if (saved != null) {
        loop.seen.remark("what the interrupted iteration had done is on the branch " + saved);
      }
      return loop.work();
    }
  }

  private LoopResult work() throws IOException, InterruptedException {
    return end(run, settings, iterate());
  }

  private static LoopResult end(Run run, LoopSettings settings, LoopResult result) {
    run.say(
        LoopTypes.END,
        Json.object().put("task", settings.name()).put("result", result.json()).build());
    return result;
  }

  /** Ensures that the work contains no changes of the user, and that main gets none of the work. */
  public static TreeState check(Git git, boolean allowMain) {
    TreeState state = TreeState.of(git);
    String branch = state.branch();
    if (branch == null || state.head() == null) {
      throw ParleyException.refused(
          "no-branch",
          "The head is on no branch with a commit.",
          "Go to a branch: git switch -c <branch>.");
    }
    if (state.isMain() && !allowMain) {
      throw ParleyException.refused(
          "on-main",
          "This is the branch " + branch + ".",
          "Go to another: git switch -c <branch>; or allow it: --allow-main.");
    }
    if (!state.isClean()) {
      throw ParleyException.refused(
          "dirty-tree",
          (state.changed().size() == 1
                  ? "A file is not committed: "
                  : state.changed().size() + " files are not committed, such as ")
              + state.changed().getFirst()
              + ".",
          "Commit them, or put them aside: git stash --include-untracked.");
    }
    return state;
  }

  private LoopResult iterate() throws IOException, InterruptedException {
    String failure = failure();
    String lastWhy = "";
    for (int i = progress.iterations() + 1; i <= settings.iterations(); i++) {
      boolean shift = progress.same() >= settings.stuck();
      seen.clear();
      run.tell(settings.name() + ": iteration " + i + " of " + settings.iterations());
      Evidence failed;
      try {
        note();
        files.state(progress);
        String context = files.context(progress, failure, others.notices(settings.cap()));
        failed = attempt(context, shift, i);
      } catch (ParleyException e) {
        if (e.kind() == ParleyException.Kind.REFUSED) {
          boolean stopped = e.code().equals("run-stopped");
          return ended(stopped ? Outcome.STOPPED : Outcome.LIMIT, Explanation.messageOf(e), i);
        }
        failed = gitTrouble(e, i);
      }
      if (failed == null) {
        files.remove();
        String done = git.commit("HEAD");
        return new LoopResult(Outcome.DONE, "", i, done, null, seen.kept(), seen.remarks());
      }
      if (failed.gate().equals(WORKTREE)) {
        return ended(Outcome.BROKEN, failed.why(), i);
      }
      if (run.isStopped()) {
        return ended(Outcome.STOPPED, "the run was stopped", i);
      }
      if (since().compareTo(settings.times().all()) > 0) {
        return ended(
            Outcome.LIMIT, "not done within " + settings.times().all().toSeconds() + " s", i);
      }
      failure = failed.text();
      lastWhy = lastWhy(failed);
      failed(i, failed, shift);
      if (progress.same() >= 2 * settings.stuck()) {
        String why =
            "the gate " + failed.gate() + " failed " + progress.same() + " times in the same way";
        return ended(Outcome.STUCK, why + lastWhy(failed), i);
      }
      if (progress.same() == settings.stuck()) {
        progress = progress.shifted();
        run.tell(
            settings.name()
                + ": the same failure "
                + (progress.same() == 1 ? "once" : progress.same() + " times")
                + "; another way is asked for");
      }
    }
    return ended(
        Outcome.OUT_OF_ITERATIONS,
        "not done in "
            + settings.iterations()
            + " iterations; the last gate to fail was "
            + progress.gate()
            + lastWhy,
        settings.iterations());
  }

  private static String lastWhy(Evidence failed) {
    return failed.why().isEmpty() ? "" : ": " + failed.why();
  }

  private void failed(int iteration, Evidence failed, boolean shift) {
    String hash = failed.failureHash();
    byte[] text = failed.text().getBytes(StandardCharsets.UTF_8);
    progress =
        progress.failed(
            LoopFiles.attempt(iteration, failed.gate(), hash, shift),
            failed.gate(),
            failed.exit(),
            hash,
            text.length == 0 || !isResumable() ? "" : run.context().contents().store(text));
  }

  /** The gate's output in the last iteration that another process completed. */
  private @Nullable String failure() {
    String digest = progress.failure();
    return digest.isEmpty()
        ? progress.gate().isEmpty() ? null : progress.gate() + " failed"
        : new String(run.context().contents().load(digest), StandardCharsets.UTF_8);
  }

  /** Whether to resume in place. A task of a plan starts anew in another worktree instead. */
  private boolean isResumable() {
    return !settings.checks().ownTree();
  }

  /** Records the beginning of an iteration, so that another process can resume there. */
  private void note() {
    if (isResumable()) {
      progress =
          progress.at(
              git.run("rev-parse", "HEAD"), Snapshot.takeWhatCanBe(git).tree(), seen.remarks());
      run.say(LoopTypes.ITERATION, progress.line(settings.name()));
    }
  }

  /** The failure of a git command: the agent may have left something that git refuses. */
  private Evidence gitTrouble(ParleyException e, int iteration) {
    if (!e.code().equals(Git.FAILED)) {
      throw e;
    }
    return seen.keep(Evidence.failed("git", e.what(), "", progress.start()), iteration);
  }

  private Duration since() {
    return Duration.ofNanos(System.nanoTime() - began);
  }

  /** Saves the work, and resets the tree to its state before the loop. */
  private LoopResult ended(Outcome outcome, String why, int iteration) throws IOException {
    String saved = null;
    if (isWorktree()) {
      files.remove();
      String message =
          Trailers.message("wip: " + settings.name() + ": " + why, run.id(), settings.name());
      WipBranch.Saved work =
          WipBranch.save(git, progress.branch(), progress.start(), settings.name(), message);
      saved = work.ref().equals(progress.branch()) ? null : work.ref();
      if (!work.trouble().isEmpty()) {
        seen.remark(work.trouble());
      }
    }
    run.tell(settings.name() + ": " + outcome.word() + ": " + why);
    return new LoopResult(outcome, why, iteration, null, saved, seen.kept(), seen.remarks());
  }

  private static final String WORKTREE = "worktree";

  /** Runs one iteration. Returns the evidence of the failed gate; null if none failed. */
  private @Nullable Evidence attempt(String context, boolean shift, int iteration)
      throws IOException, InterruptedException {
    Answer answer =
        ask(
            IMPLEMENT,
            settings.agent(),
            LoopPrompts.implement(settings, run.id(), progress.branch(), context, shift),
            settings.times().implement(),
            true);
    if (answer.leftovers() > 0) {
      seen.remark("the agent left processes running; " + answer.leftovers() + " were ended");
    }
    if (!isWorktree()) {
      return seen.keep(
          Evidence.failed(WORKTREE, "the agent deleted its worktree", "", progress.start()),
          iteration);
    }
    TreeState state = TreeState.of(git);
    if (!progress.branch().equals(state.branch())) {
      String why = "the agent left the branch " + progress.branch();
      Evidence left = seen.keep(Evidence.failed("branch", why, "", progress.start()), iteration);
      backToBranch();
      return left;
    }
    boolean answered = answer.ok() || answer.status() == Answer.Status.EMPTY;
    String head = String.valueOf(state.head());
    if (!answered) {
      return seen.keep(Evidence.failed(IMPLEMENT, answer.error(), answer.text(), head), iteration);
    }
    var _ = seen.keep(Evidence.passed(IMPLEMENT, "", head), iteration);
    others.post(answer.text());
    Snapshot snapshot = Snapshot.take(git);
    String name = head + "+" + snapshot.tree();
    List<String> changed = snapshot.changedSince(progress.start());
    if (changed.isEmpty()) {
      return seen.keep(
          Evidence.failed("change", "nothing was changed", answer.text(), name), iteration);
    }
    List<String> leased = others.leasedByOthers(changed);
    if (!leased.isEmpty()) {
      String why = "files that others have leased were changed: " + leased.getFirst();
      return seen.keep(Evidence.failed("leases", why, String.join("\n", leased), name), iteration);
    }
    Evidence failed = gates(snapshot, name, iteration);
    return failed != null ? failed : commit(snapshot, name, iteration);
  }

  private boolean isWorktree() {
    return Files.exists(git.folder().resolve(".git")) && git.attempt("rev-parse", "HEAD").ok();
  }

  /** Saves what the agent did on another branch, and switches back to the loop's. */
  private void backToBranch() throws IOException {
    String message = Trailers.message("wip: work on another branch", run.id(), settings.name());
    String branch = progress.branch();
    String tip = git.commit("refs/heads/" + branch);
    String back = tip == null ? progress.start() : tip;
    WipBranch.Saved saved = WipBranch.save(git, branch, back, settings.name(), message);
    saved.check();
    seen.remark("saved: " + saved.ref());
  }

  private Answer ask(String stage, String agent, String prompt, Duration timeout, boolean edits)
      throws InterruptedException {
    Duration left = settings.times().all().minus(since());
    Duration limit = timeout.compareTo(left) < 0 ? timeout : left;
    if (limit.isNegative() || limit.isZero()) {
      throw ParleyException.refused(
          "out-of-time",
          "Not done within " + settings.times().all().toSeconds() + " s.",
          "Give it longer: --timeout.");
    }
    Map<String, String> environment = new HashMap<>(others.variables());
    environment.put("PARLEY_TASK", settings.name());
    return run.ask(new Ask(agent, stage, prompt, git.folder(), environment, limit, edits));
  }

  private @Nullable Evidence gates(Snapshot snapshot, String name, int iteration)
      throws IOException, InterruptedException {
    Gate tests = TestDetection.tests(git.folder(), settings.times().test());
    if (tests != null) {
      Evidence tested = gate(tests, snapshot, name, iteration);
      if (!tested.passed()) {
        return tested;
      }
    } else if (TestDetection.isAmong(git.run("ls-tree", "--name-only", progress.start()).lines())) {
      String why = "the tests that were there at the start are gone";
      return seen.keep(Evidence.failed(Gate.TEST, why, "", name), iteration);
    } else if (settings.checks().requireTests()) {
      String why = "no tests were found, and they are required";
      return seen.keep(Evidence.failed(Gate.TEST, why, "", name), iteration);
    } else {
      seen.remark("no tests were found: add them, a test.sh or a gate");
      var _ = seen.keep(Evidence.passed(Gate.TEST, "no tests were found", name), iteration);
    }
    if (settings.checks().spec()) {
      Evidence spec = spec(snapshot, name, iteration);
      if (!spec.passed()) {
        return spec;
      }
    }
    for (Gate gate : settings.gates()) {
      Evidence said = gate(gate, snapshot, name, iteration);
      if (!said.passed()) {
        return said;
      }
    }
    return null;
  }

  private Evidence gate(Gate gate, Snapshot snapshot, String name, int iteration)
      throws IOException, InterruptedException {
    Evidence said = gateRun().run(gate, name);
    List<String> made = snapshot.madeSince();
    if (settings.checks().ownTree()) {
      snapshot.restore();
    } else if (!made.isEmpty()) {
      seen.remark(
          "the gate " + gate.name() + " left files that git does not ignore: " + made.getFirst());
    }
    var _ = seen.keep(said, iteration);
    if (said.passed()) {
      others.post(said.output());
    }
    return said;
  }

  private GateRun gateRun() {
    Map<String, String> variables = new HashMap<>(run.variables());
    variables.putAll(others.variables());
    variables.put("PARLEY_TASK", settings.name());
    return new GateRun(git.folder(), variables, run::isStopped);
  }

  private Evidence spec(Snapshot snapshot, String name, int iteration) throws InterruptedException {
    String prompt = LoopPrompts.spec(settings, snapshot.diff(progress.start()));
    Answer answer = ask("spec", settings.reviewer(), prompt, settings.times().spec(), false);
    if (!answer.ok()) {
      return seen.keep(Evidence.failed("spec", answer.error(), answer.text(), name), iteration);
    }
    boolean passed = LoopPrompts.passes(answer.text());
    if (passed) {
      others.post(answer.text());
    }
    return seen.keep(
        passed
            ? Evidence.passed("spec", answer.text(), name)
            : Evidence.failed("spec", "no line " + LoopPrompts.PASS, answer.text(), name),
        iteration);
  }

  /** Commits what the gates checked. The repository's hooks are a gate too. */
  private @Nullable Evidence commit(Snapshot snapshot, String name, int iteration)
      throws IOException, InterruptedException {
    if (!snapshot.isNews()) {
      return null; // the agent committed everything itself
    }
    String subject =
        settings.name() + ": " + settings.task().strip().lines().findFirst().orElse("");
    String message =
        Trailers.message(subject.replaceFirst(": #+ *", ": "), run.id(), settings.name());
    Gate gate = new Gate("commit", snapshot.commitCommand(message), settings.times().test());
    Evidence said = gateRun().run(gate, name);
    if (!said.passed()) {
      return seen.keep(said, iteration);
    }
    String committed = git.run("rev-parse", "HEAD^{tree}");
    if (!committed.equals(snapshot.tree())) {
      // A hook changed the commit after the gates, so it is undone.
      var _ = git.run("reset", "--quiet", "--soft", "HEAD~1");
      return seen.keep(
          Evidence.failed("commit", "a hook changed the files after the gates", "", name),
          iteration);
    }
    var _ =
        seen.keep(
            Evidence.passed("commit", said.output(), git.run("rev-parse", "HEAD")), iteration);
    return null;
  }
}
