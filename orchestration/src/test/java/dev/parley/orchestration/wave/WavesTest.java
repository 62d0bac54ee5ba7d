package dev.parley.orchestration.wave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.parley.coordination.task.Task;
import dev.parley.coordination.task.TaskState;
import dev.parley.coordination.work.LockRequest;
import dev.parley.orchestration.Workshop;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.ask.RunContext;
import dev.parley.orchestration.ask.RunLimits;
import dev.parley.orchestration.git.Git;
import dev.parley.orchestration.git.TestRepository;
import dev.parley.orchestration.git.Trailers;
import dev.parley.orchestration.git.TreeState;
import dev.parley.orchestration.git.Worktrees;
import dev.parley.orchestration.loop.LoopSettings;
import dev.parley.orchestration.wave.TaskStatus.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plans carried out by scripted agents in real repositories. */
class WavesTest {
  @TempDir private Path folder;
  private Workshop workshop;
  private TestRepository repository;
  private Git git;
  private String base;

  @BeforeEach
  void open() throws IOException {
    workshop = new Workshop(folder.resolve("workshop"));
    repository = TestRepository.create(folder.resolve("repository"));
    repository.commit("test.sh", "test ! -f bad\n");
    git = repository.git();
    git.run("switch", "--quiet", "-c", "work");
    base = git.run("rev-parse", "HEAD");
  }

  @AfterEach
  void close() {
    workshop.close();
  }

  private static WaveSettings settings(int concurrent, Duration fileWait) {
    return settings(concurrent, fileWait, "", "");
  }

  private static WaveSettings settings(
      int concurrent, Duration fileWait, String setUp, String tearDown) {
    return new WaveSettings(
        "worker",
        "worker",
        concurrent,
        2,
        2,
        3,
        20,
        LoopSettings.Times.DEFAULT,
        fileWait,
        false,
        false,
        false,
        List.of(),
        setUp,
        tearDown);
  }

  private WaveReport waves(String plan, String script) throws IOException, InterruptedException {
    return waves(plan, script, settings(2, Duration.ZERO));
  }

  private void agent(String script) throws IOException {
    workshop.agent("worker", "n=$PARLEY_SLOT; cat > /dev/null\n" + script);
  }

  private WaveReport waves(String plan, String script, WaveSettings settings)
      throws IOException, InterruptedException {
    agent(script);
    RunContext context = workshop.context();
    return WaveRunner.begin(context, git, plan, settings, RunLimits.DEFAULT, run -> {});
  }

  private static String plan(String... dependencies) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < dependencies.length; i++) {
      text.append("## Task " + (i + 1) + ": part " + (i + 1) + "\nFiles:\n");
      text.append("- Create: `part" + (i + 1) + "`\nDependencies: " + dependencies[i] + "\n");
    }
    return text.toString();
  }

  private void nothingIsLeftBehind() {
    assertThat(new Worktrees(git).list()).hasSize(1);
    assertThat(TreeState.of(git).isClean()).isTrue();
  }

  /** Acceptance check 12 of seed 000. */
  @Test
  void aPlanIsMergedInItsOrderAndTheBranchIsForwarded() throws Exception {
    WaveReport report =
        waves(
            plan("None", "None", "Task 1, Task 2"),
            """
            echo "$PARLEY_PORT_BASE" > part$n; test "$(cat $TMPDIR/up)" = $n || exit 1
            if [ $n = 3 ]; then test -f part1 && test -f part2 || exit 1; cp .ralph_context.md seen; fi
            echo "<!-- BUS:discovery -->part $n has a port<!-- /BUS -->"
            """,
            settings(
                2,
                Duration.ZERO,
                "echo $PARLEY_SLOT > $TMPDIR/up",
                "cat $TMPDIR/up >> " + folder.resolve("down")));

    assertThat(report.ok()).isTrue();
    assertThat(report.complete()).isTrue();
    assertThat(report.forwarded()).isEqualTo(git.run("rev-parse", "work"));
    assertThat(git.run("log", "--reverse", "--format=%s", base + "..work").lines())
        .containsExactly("Task 1: part 1", "Task 2: part 2", "Task 3: part 3");
    assertThat(Trailers.commits(git, base, "work", report.record().run()))
        .containsOnlyKeys("task-1", "task-2", "task-3");
    assertThat(Files.readString(repository.folder().resolve("seen")))
        .contains("part 1 has a port", "part 2 has a port");
    assertThat(git.run("show", "work:part1")).isNotEqualTo(git.run("show", "work:part2"));
    assertThat(folder.resolve("down")).hasContent("1\n2\n3\n0");
    nothingIsLeftBehind();
    List<Task> tasks =
        workshop.context().team().ledger().look(ledger -> List.copyOf(ledger.tasks().all()));
    assertThat(tasks).hasSize(3).allMatch(task -> task.state() == TaskState.DONE);
  }

  /** Acceptance check 10 of seed 000: what a signal does is to stop the run. */
  @Test
  void aRunThatIsStoppedInAGateEndsItSavesAndGoesOn() throws Exception {
    Path marks = Files.createDirectory(folder.resolve("marks"));
    repository.commit(
        "test.sh",
        "test -e MARKS/stopped || { touch MARKS/gate; sleep 300; }\n".replace("MARKS", marks + ""));
    agent("touch part$n");
    AtomicReference<Run> running = new AtomicReference<>();
    Thread stopper =
        Thread.ofPlatform()
            .start(() -> {
              await()
                  .atMost(Duration.ofSeconds(60))
                  .until(() -> Files.exists(marks.resolve("gate")));
              assertThat(repository.folder().resolve(".conclave/bus/.pid")).exists();
              Objects.requireNonNull(running.get()).stop();
            });
    WaveReport stopped =
        WaveRunner.begin(
            workshop.context(),
            git,
            plan("None"),
            settings(2, Duration.ofSeconds(5)),
            RunLimits.DEFAULT,
            running::set);
    stopper.join();
    assertThat(stopped.complete()).isFalse();
    assertThat(stopped.record().task(1).state()).isEqualTo(State.PENDING);
    assertThat(ProcessHandle.current().descendants().map(ProcessHandle::info))
        .noneMatch(info -> info.commandLine().orElse("").contains("sleep 300"));
    assertThat(repository.folder().resolve(".conclave/bus")).doesNotExist();
    assertThat(git.run("branch", "--list", "--format=%(refname:short)", "wip/*")).isNotEmpty();

    Files.createFile(marks.resolve("stopped"));
    WaveReport report =
        WaveRunner.resume(
            workshop.context(), git, stopped.record().run(), RunLimits.DEFAULT, run -> {});
    assertThat(report.ok()).isTrue();
    nothingIsLeftBehind();
    WaveCleaning cleaning = WaveCleaning.look(git, workshop.log());
    assertThat(cleaning.staying()).as("the first attempt has no commits of its own").isEmpty();
    assertThat(cleaning.branches()).hasSize(3);
  }

  /** Acceptance check 15 of seed 000, to its end. */
  @Test
  void aTaskThatNeverFitsFailsAfterTwoRerunsAndSkipsItsDependents() throws Exception {
    Path hook =
        Files.createDirectories(repository.folder().resolve(".git/hooks")).resolve("commit-msg");
    Files.writeString(hook, "#!/bin/sh\n! grep -q '^Task 2:' \"$1\"\n");
    assertThat(hook.toFile().setExecutable(true)).isTrue();
    WaveReport report = waves(plan("None", "None", "Task 2"), "touch part$n");
    assertThat(report.record().task(2).state()).isEqualTo(State.FAILED);
    assertThat(report.record().task(2).reruns()).isEqualTo(2);
    assertThat(report.record().task(2).why()).contains("3 times");
    assertThat(report.record().task(3).state()).isEqualTo(State.SKIPPED);
    assertThat(report.record().task(1).state()).isEqualTo(State.MERGED);
  }

  /** Acceptance check 15 of seed 000. */
  @Test
  void aConflictIsRunAgainOnWhatIsMerged() throws Exception {
    WaveReport report = waves(plan("None", "None"), "touch part$n; echo $n >> README");
    assertThat(report.ok()).isTrue();
    assertThat(git.run("show", "work:README")).isEqualTo("hello\n1\n2");
    assertThat(report.record().task(2).reruns()).isEqualTo(1);
    nothingIsLeftBehind();
  }

  @Test
  void whatIsGreenAloneAndRedTogetherIsNotMerged() throws Exception {
    repository.commit("test.sh", "if [ -f part1 ] && [ -f part2 ]; then test -f both; fi\n");
    WaveReport report =
        waves(
            plan("None", "None"), "touch part$n; if [ -f part1 -a -f part2 ]; then touch both; fi");
    assertThat(report.ok()).isTrue();
    assertThat(report.record().task(2).reruns()).isEqualTo(1);
    assertThat(git.run("ls-tree", "--name-only", "work").lines()).contains("both");
  }

  /** Acceptance check 13 of seed 000. */
  @Test
  void aTaskThatFailsSkipsThoseThatDependOnItAndNoOthers() throws Exception {
    WaveReport report =
        waves(
            plan("None", "None", "Task 1", "Task 2", "Task 3"),
            "touch part$n; if [ $n = 1 ]; then touch bad; fi; echo all good");

    assertThat(report.ok()).isFalse();
    assertThat(report.in(State.MERGED)).extracting(TaskStatus::number).containsExactly(2, 4);
    assertThat(report.in(State.FAILED)).extracting(TaskStatus::number).containsExactly(1);
    assertThat(report.in(State.SKIPPED)).extracting(TaskStatus::number).containsExactly(3, 5);
    String wip = git.run("branch", "--list", "--format=%(refname:short)", "wip/*");
    assertThat(git.run("ls-tree", "--name-only", wip).lines()).contains("bad");
    nothingIsLeftBehind();
  }

  @Test
  void aTaskWhoseFilesSomebodyElseHoldsFailsWithTheHoldersName() throws Exception {
    RunContext context = workshop.context();
    context.team().locks(context.team().join("bob")).lock(LockRequest.of("part1"));
    WaveReport report =
        waves(plan("None", "None"), "touch part$n", settings(2, Duration.ofSeconds(1)));
    assertThat(report.record().task(1).why()).contains("bob");
    assertThat(report.record().task(2).state()).isEqualTo(State.MERGED);
  }

  /** Acceptance check 16 of seed 000. */
  @Test
  void noMoreTasksRunAtTheSameTimeThanAreAllowed() throws Exception {
    Path running = Files.createDirectory(folder.resolve("running"));
    String script =
        "touch "
            + running
            + "/$n; ls "
            + running
            + " | wc -l >> "
            + folder.resolve("counts")
            + "; sleep 0.3; rm "
            + running
            + "/$n; touch part$n";
    assertThat(waves(plan("None", "None", "None", "None", "None"), script).ok()).isTrue();
    assertThat(Files.readAllLines(folder.resolve("counts")))
        .hasSize(5)
        .allMatch(count -> Integer.parseInt(count.strip()) <= 2);
  }

  @Test
  void abaseBehindItsUpstreamIsRefused() throws Exception {
    Path clone = folder.resolve("clone");
    new Git(folder).run("clone", "--quiet", repository.folder().toString(), clone.toString());
    repository.commit("news", "x\n");
    Git behind = new Git(clone);
    assertThatThrownBy(() -> WaveStart.check(behind, plan("None"), false))
        .hasMessageContaining("1 commits behind origin/work");
  }
}
