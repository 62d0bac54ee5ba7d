package dev.parley.orchestration.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.core.ParleyException;
import dev.parley.core.json.Json;
import dev.parley.orchestration.Workshop;
import dev.parley.orchestration.agent.AgentDefinition;
import dev.parley.orchestration.agent.CallMethod;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.ask.RunLimits;
import dev.parley.orchestration.gate.Evidence;
import dev.parley.orchestration.gate.Gate;
import dev.parley.orchestration.git.Git;
import dev.parley.orchestration.git.TestRepository;
import dev.parley.orchestration.git.TreeState;
import dev.parley.orchestration.loop.LoopResult.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Loops with scripted agents in real repositories. */
class LoopTest {
  @TempDir private Path folder;
  private Workshop workshop;
  private TestRepository repository;
  private Git git;
  private final List<String> posted = new ArrayList<>();
  private final List<String> leased = new ArrayList<>();

  @BeforeEach
  void open() throws IOException {
    workshop = new Workshop(folder.resolve("workshop"));
    repository = TestRepository.create(folder.resolve("repository"));
    repository.commit("test.sh", "test -f done || { echo 'done is missing'; exit 1; }\n");
    git = repository.git();
    git.run("switch", "--quiet", "-c", "work");
  }

  @AfterEach
  void close() {
    workshop.close();
  }

  private final OtherWorkers others =
      new OtherWorkers() {
        @Override
        public List<String> notices(int cap) {
          return List.of("## Bulletin", "- beware");
        }

        @Override
        public void post(String answer) {
          posted.add(answer);
        }

        @Override
        public List<String> leasedByOthers(List<String> paths) {
          return leased.stream().filter(paths::contains).map(path -> path + ": bob").toList();
        }

        @Override
        public Map<String, String> variables() {
          return Map.of("COUNT", folder.resolve("count").toString());
        }
      };

  private static LoopSettings settings(boolean spec, int stuck, List<Gate> gates) {
    return new LoopSettings(
        "task-1",
        "Make the file done",
        "worker",
        "reviewer",
        5,
        stuck,
        LoopSettings.Times.DEFAULT,
        new LoopSettings.Checks(spec, false, false, false),
        gates,
        20);
  }

  private LoopResult loop(String script, LoopSettings settings)
      throws IOException, InterruptedException {
    return loop(script, settings, RunLimits.DEFAULT);
  }

  private LoopResult loop(String script, LoopSettings settings, RunLimits limits)
      throws IOException, InterruptedException {
    // How many times it was called is in $n.
    workshop.agent("worker", "echo x >> $COUNT; n=$(wc -l < $COUNT)\n" + script);
    try (Run run = Run.begin(workshop.context(), "loop", Json.EMPTY_OBJECT, limits)) {
      return Loop.run(run, settings, others, git);
    }
  }

  private void treeIsAsBefore(String head) {
    TreeState state = TreeState.of(git);
    assertThat(state.branch()).isEqualTo("work");
    assertThat(state.head()).isEqualTo(head);
    assertThat(state.isClean()).isTrue();
    assertThat(repository.folder().resolve(".ralph.lock")).doesNotExist();
    assertThat(repository.folder().resolve(".ralph_state.json")).doesNotExist();
    assertThat(repository.folder().resolve(".ralph_context.md")).doesNotExist();
  }

  private String head() {
    return git.run("rev-parse", "HEAD");
  }

  /** Acceptance check 7 of seed 000. */
  @Test
  void itGoesOnUntilTheGatesPassAndCommitsWithRunAndTask() throws Exception {
    String before = head();
    LoopResult result =
        loop(
            """
            cat > prompt-$n; cp .ralph_context.md context-$n
            if [ $n -ge 3 ]; then touch done; fi
            echo "attempt $n"
            """,
            settings(false, 3, List.of()));

    assertThat(result.outcome()).isEqualTo(Outcome.DONE);
    assertThat(result.iterations()).isEqualTo(3);
    assertThat(result.evidence())
        .extracting(Evidence::gate)
        .containsExactly("implement", "test", "commit");
    assertThat(git.run("log", "--format=%s%n%(trailers:key=Parley-Task,valueonly)", before + ".."))
        .isEqualTo("task-1: Make the file done\ntask-1");
    assertThat(repository.folder().resolve("context-1")).content().contains("- beware");
    assertThat(repository.folder().resolve("context-2"))
        .content()
        .contains("done is missing", "last gate: test");
    assertThat(repository.folder().resolve("prompt-2"))
        .content()
        .contains("done is missing", "BUS:discovery", "Parley-Task: task-1");
    assertThat(posted).contains("attempt 3");
    treeIsAsBefore(head());
  }

  /** Acceptance check 7 of seed 000: markers of gates that pass, and of no others. */
  @Test
  void whatAnAgentSaysThatEndsWithAnErrorIsNotPosted() throws Exception {
    LoopResult result =
        loop(
            "touch done; echo '<!-- BUS:discovery -->turn '$n'<!-- /BUS -->'; test $n = 2",
            settings(false, 3, List.of()));
    assertThat(result.iterations()).isEqualTo(2);
    assertThat(posted).noneMatch(text -> text.contains("turn 1"));
    assertThat(posted.stream().filter(text -> text.contains("turn 2"))).hasSize(1);
  }

  @Test
  void theWordOfAnAgentIsNoEvidence() throws Exception {
    String before = head();
    LoopResult result =
        loop("echo x > other; echo 'All tests pass. SPEC_PASS'", settings(false, 3, List.of()));

    assertThat(result.outcome()).isEqualTo(Outcome.OUT_OF_ITERATIONS);
    assertThat(result.evidence().getLast().gate()).isEqualTo("test");
    treeIsAsBefore(before);
    assertThat(result.saved()).startsWith("wip/ralph-fail-task-1-");
    assertThat(git.run("show", result.saved() + ":other")).isEqualTo("x");
  }

  /** Acceptance check 8 of seed 000. */
  @Test
  void afterTheSameFailureAnotherWayIsAskedForAndThenItStops() throws Exception {
    LoopResult result = loop("cat > prompt-$n", settings(false, 2, List.of()));

    assertThat(result.outcome()).isEqualTo(Outcome.STUCK);
    assertThat(result.iterations()).isEqualTo(4);
    String saved = String.valueOf(result.saved());
    assertThat(git.run("show", saved + ":prompt-2")).doesNotContain("STRATEGY SHIFT");
    assertThat(git.run("show", saved + ":prompt-3")).contains("STRATEGY SHIFT");
  }

  @Test
  void theSpecGateTakesTheWordAloneOnALineAndNothingElse() throws Exception {
    workshop.agent(
        "reviewer",
        "n=$(wc -l < $COUNT); if [ $n = 1 ]; then echo 'not yet SPEC_PASS'; else echo fine; echo '"
            + " SPEC_PASS '; fi");
    LoopResult result = loop("touch done; echo $n > number", settings(true, 3, List.of()));

    assertThat(result.iterations()).isEqualTo(2);
    assertThat(result.done()).isTrue();
  }

  @Test
  void moreGatesMustPassToo() throws Exception {
    Gate gate =
        Gate.ofShell("style", "grep -q 2 number && echo made > left", Duration.ofSeconds(9));
    LoopResult result = loop("touch done; echo $n > number", settings(false, 3, List.of(gate)));

    assertThat(result.iterations()).isEqualTo(2);
    assertThat(result.remarks())
        .containsExactly("the gate style left files that git does not ignore: left");
    assertThat(git.run("ls-tree", "--name-only", "HEAD")).doesNotContain("left");
  }

  /** Acceptance check 14 of seed 000. */
  @Test
  void anAgentThatChangesNothingIsNotDone() throws Exception {
    repository.commit("done", "");
    LoopResult result = loop("echo 'I did it all'", settings(false, 2, List.of()));
    assertThat(result.outcome()).isEqualTo(Outcome.STUCK);
    assertThat(result.evidence().getLast().why()).isEqualTo("nothing was changed");
    assertThat(result.saved()).isNull();
  }

  @Test
  void aFileThatSomebodyElseHasLeasedMayNotBeChanged() throws Exception {
    leased.add("theirs");
    LoopResult result =
        loop(
            "touch done; if [ $n = 1 ]; then echo x > theirs; else rm -f theirs; fi",
            settings(false, 3, List.of()));
    assertThat(result.done()).isTrue();
    assertThat(result.iterations()).isEqualTo(2);
  }

  @Test
  void anAgentThatDeletesItsWorktreeIsCaughtAndItsBranchIsThere() throws Exception {
    Path tree = folder.resolve("tree");
    git.run("worktree", "add", "--quiet", "-b", "task", tree.toString());
    git = new Git(tree);
    LoopResult result =
        loop(
            "echo x > y; git add y; git commit -qm y; rm -rf ../tree",
            settings(false, 3, List.of()));
    assertThat(result.outcome()).isEqualTo(Outcome.BROKEN);
    assertThat(result.why()).isEqualTo("the agent deleted its worktree");
    assertThat(repository.git().run("show", "task:y")).isEqualTo("x");
  }

  @Test
  void anAgentThatGoesToAnotherBranchIsBroughtBack() throws Exception {
    LoopResult result =
        loop(
            "if [ $n = 1 ]; then git switch -qc elsewhere; echo 1 > one; git add one; git commit"
                + " -qm one; echo 2 > two; else touch done; fi",
            settings(false, 3, List.of()));
    assertThat(result.done()).isTrue();
    assertThat(result.remarks().getFirst()).startsWith("saved: wip/ralph-fail-task-1-");
    assertThat(git.run("show", "elsewhere:one")).isEqualTo("1");
    assertThat(git.run("ls-tree", "--name-only", "work").lines()).doesNotContain("one");
  }

  @Test
  void whatGitRefusesToAddIsToldToTheAgent() throws Exception {
    LoopResult result =
        loop(
            "touch done; if [ $n = 1 ]; then git init -q inside; else cp .ralph_context.md told; rm"
                + " -rf inside; fi",
            settings(false, 3, List.of()));
    assertThat(result.done()).isTrue();
    assertThat(result.iterations()).isEqualTo(2);
    assertThat(git.run("show", "work:told")).contains("last gate: git", "inside/");
  }

  @Test
  void whatGitCantSaveIsNamedAndTheRestIsOnTheWipBranch() throws Exception {
    String before = head();
    LoopResult result = loop("touch other; git init -q inside", settings(false, 1, List.of()));
    assertThat(result.outcome()).isEqualTo(Outcome.STUCK);
    assertThat(git.run("ls-tree", "--name-only", result.saved()).lines())
        .contains("other")
        .doesNotContain("inside");
    assertThat(result.remarks()).contains("inside/ could not be saved");
    assertThat(repository.folder().resolve("inside/.git")).exists();
    assertThat(head()).isEqualTo(before);
    assertThat(TreeState.of(git).changed()).containsExactly("inside/");
  }

  /** As a git that was killed leaves it. */
  @Test
  void workIsSavedAlsoWhereTheIndexIsLocked() throws Exception {
    LoopResult result = loop("echo x > work; touch .git/index.lock", settings(false, 1, List.of()));
    assertThat(result.done()).isFalse();
    assertThat(result.why()).contains("the gate git failed");
    assertThat(result.saved()).startsWith("refs/parley/rescue/");
    assertThat(git.run("show", result.saved() + ":work")).isEqualTo("x");
    assertThat(result.remarks().getFirst())
        .startsWith("the tree could not be put back: git ")
        .contains("index.lock");
  }

  /** Acceptance check 9 of seed 000. */
  @Test
  void commitsOfAFailedLoopAreOnTheWipBranchAlone() throws Exception {
    String before = head();
    LoopResult result =
        loop("echo $n > own; git add own; git commit -qm own", settings(false, 2, List.of()));
    assertThat(result.done()).isFalse();
    treeIsAsBefore(before);
    assertThat(git.run("log", "--format=%s", before + ".." + result.saved())).contains("own");
  }

  @Test
  void aHookThatFailsIsAGate() throws Exception {
    Path hook = repository.folder().resolve(".git/hooks/pre-commit");
    Files.writeString(hook, "#!/bin/sh\ngrep -q 2 number || { echo 'want 2'; exit 1; }\n");
    assertThat(hook.toFile().setExecutable(true)).isTrue();
    LoopResult result = loop("touch done; echo $n > number", settings(false, 3, List.of()));
    assertThat(result.done()).isTrue();
    assertThat(result.iterations()).isEqualTo(2);
  }

  @Test
  void whatTheRunMayUseUpEndsTheLoopAndTheWorkIsSaved() throws Exception {
    String before = head();
    LoopResult result =
        loop("echo $n > number", settings(false, 9, List.of()), RunLimits.DEFAULT.withAsks(2));
    assertThat(result.outcome()).isEqualTo(Outcome.LIMIT);
    assertThat(result.iterations()).isEqualTo(3);
    treeIsAsBefore(before);
    assertThat(git.run("show", result.saved() + ":number")).isEqualTo("2");
  }

  @Test
  void whatAgentsSayThatTheyCostEndsTheLoopToo() throws Exception {
    Path script =
        workshop.script(
            "costly",
            "cat > /dev/null; date +%N > number\n"
                + "echo '{\"type\":\"result\",\"result\":\"ok\",\"total_cost_usd\":0.6,"
                + "\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}'");
    workshop.agent(
        AgentDefinition.of(
            "worker",
            new CallMethod.Command(
                List.of(script.toString()), CallMethod.Input.STDIN, CallMethod.Output.CLAUDE)));
    RunLimits limits = RunLimits.DEFAULT.withCost(1_000_000);
    try (Run run = Run.begin(workshop.context(), "loop", Json.EMPTY_OBJECT, limits)) {
      LoopResult result = Loop.run(run, settings(false, 3, List.of()), others, git);
      assertThat(result.outcome()).isEqualTo(Outcome.LIMIT);
      assertThat(result.why()).contains("has reached its limit of cost");
      assertThat(result.iterations()).isEqualTo(3);
    }
  }

  @Test
  void dirtyTreesMainAndDetachedHeadsAreRefused() throws Exception {
    repository.write("mine", "x");
    assertThatThrownBy(() -> loop("true", settings(false, 3, List.of())))
        .isInstanceOf(ParleyException.class)
        .hasMessageContaining("mine");
    git.run("stash", "--include-untracked");
    git.run("switch", "--quiet", "main");
    assertThatThrownBy(() -> loop("true", settings(false, 3, List.of())))
        .hasMessageContaining("branch main");
    git.run("checkout", "--quiet", "--detach");
    assertThatThrownBy(() -> loop("true", settings(false, 3, List.of())))
        .hasMessageContaining("no branch");
  }

  @Test
  void aLockCountsWhileItsProcessLivesAndNotLonger() throws Exception {
    Process sleeper = new ProcessBuilder("sleep", "60").start();
    Path lock = repository.folder().resolve(".ralph.lock");
    try {
      Files.writeString(lock, "" + sleeper.pid());
      assertThatThrownBy(() -> LoopLock.take(repository.folder()))
          .hasMessageContaining("process " + sleeper.pid());
      // Written before that process began: the id is somebody else's now.
      Files.setLastModifiedTime(lock, java.nio.file.attribute.FileTime.fromMillis(0));
      LoopLock.take(repository.folder()).close();
      assertThat(lock).doesNotExist();
    } finally {
      sleeper.destroyForcibly();
    }
    try (LoopLock own = LoopLock.take(repository.folder())) {
      assertThat(own).isNotNull();
      assertThat(lock).hasContent("" + ProcessHandle.current().pid());
      assertThatThrownBy(() -> LoopLock.take(repository.folder()))
          .isInstanceOf(ParleyException.class);
    }
  }
}
