package dev.parley.orchestration.wave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.coordination.task.Task;
import dev.parley.coordination.task.TaskState;
import dev.parley.orchestration.Workshop;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.ask.RunEvent;
import dev.parley.orchestration.ask.RunLimits;
import dev.parley.orchestration.git.Git;
import dev.parley.orchestration.git.TestRepository;
import dev.parley.orchestration.git.TreeState;
import dev.parley.orchestration.loop.LoopSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What worktrees have of their own, and what happens to branches that belong to a run. */
class WaveTreesTest {
  private static final String TWO =
      """
      ## Task 1: one
      Files:
      - Create: `part1`
      ## Task 2: two
      Files:
      - Create: `part2`
      """;

  @TempDir private Path folder;
  private Workshop workshop;
  private TestRepository repository;
  private Git git;

  @BeforeEach
  void open() throws IOException {
    workshop = new Workshop(folder.resolve("workshop"));
    repository = TestRepository.create(folder.resolve("repository"));
    repository.commit(".gitignore", "installed\n");
    repository.commit("test.sh", "true\n");
    git = repository.git();
    git.run("switch", "--quiet", "-c", "work");
  }

  @AfterEach
  void close() {
    workshop.close();
  }

  private WaveReport waves(String plan, String script, String setUp, String tearDown)
      throws IOException, InterruptedException {
    return waves(plan, script, setUp, tearDown, run -> {});
  }

  private WaveReport waves(
      String plan, String script, String setUp, String tearDown, Consumer<Run> began)
      throws IOException, InterruptedException {
    workshop.agent("worker", "n=$PARLEY_SLOT; cat > /dev/null\n" + script);
    WaveSettings settings =
        new WaveSettings(
            "worker",
            "worker",
            2,
            2,
            2,
            3,
            20,
            LoopSettings.Times.DEFAULT,
            Duration.ofSeconds(5),
            false,
            false,
            false,
            List.of(),
            setUp,
            tearDown);
    return WaveRunner.begin(workshop.context(), git, plan, settings, RunLimits.DEFAULT, began);
  }

  /** A conflict runs task 2 again, so there are four worktrees, and that of the merges. */
  @Test
  void everyWorktreeIsPreparedBeforeItsGatesAndCleanedUpAfterwards() throws Exception {
    Path slots = Files.createDirectory(folder.resolve("slots"));
    repository.commit(
        "test.sh",
        "test -f installed || { echo not installed; exit 1; }\n"
            + "echo $PARLEY_SLOT $PARLEY_PORT_BASE $TMPDIR >> SLOTS/../seen\n"
                .replace("SLOTS", slots.toString()));
    workshop.with("PARLEY_PORT_BASE", "30000");
    WaveReport report =
        waves(
            TWO,
            "touch part$n; echo $n >> README",
            // Such as a database: what is there already can't be made again.
            "touch installed; test $PARLEY_SLOT = 0 || mkdir " + slots + "/$PARLEY_SLOT",
            "echo $PARLEY_SLOT >> " + folder + "/down; rmdir " + slots + "/$PARLEY_SLOT || true");
    assertThat(report.ok()).as(report.json().toString()).isTrue();
    assertThat(report.record().task(2).reruns()).isEqualTo(1);
    assertThat(Files.readAllLines(folder.resolve("down")))
        .containsExactlyInAnyOrder("1", "2", "2", "0");
    assertThat(slots).isEmptyDirectory();
    List<String> seen = Files.readAllLines(folder.resolve("seen"));
    assertThat(seen).hasSize(5);
    assertThat(seen.stream().map(line -> line.substring(0, 7)).distinct())
        .containsExactlyInAnyOrder("0 30000", "1 30020", "2 30040");
    assertThat(seen.stream().map(line -> line.split(" ", -1)[2]).distinct()).hasSize(3);
  }

  @Test
  void aRunThatIsStoppedCleansUpItsWorktrees() throws Exception {
    AtomicReference<Run> running = new AtomicReference<>();
    workshop.onEvent(event -> {
      if (event instanceof RunEvent.Said said && said.text().contains("change failed")) {
        Objects.requireNonNull(running.get()).stop();
      }
    });
    WaveReport report =
        waves(TWO, "true", "", "echo $PARLEY_SLOT >> " + folder + "/down", running::set);
    assertThat(report.complete()).isFalse();
    assertThat(Files.readAllLines(folder.resolve("down"))).containsExactlyInAnyOrder("1", "2");
  }

  /** What ignored files a worktree has is told while they are still there. */
  @Test
  void ignoredFilesAreToldOfBeforeTheyGoWithTheirWorktree() throws Exception {
    List<Boolean> there = new ArrayList<>();
    workshop.onEvent(event -> {
      if (event instanceof RunEvent.Said said
          && said.text().equals("task-1: ignored files go with its worktree: installed")) {
        there.add(
            Files.exists(
                repository.folder().resolve(".worktrees/task-1-one").resolve("installed")));
      }
    });
    assertThat(waves(TWO, "touch part$n installed", "", "").ok()).isTrue();
    assertThat(there).containsExactly(true);
    assertThat(repository.folder().resolve(".worktrees/task-1-one")).doesNotExist();
  }

  /**
   * An agent that moves the branch on which its run merges does not get its work past the gates.
   */
  @Test
  void theBranchOfTheMergesIsPutBackAndWhatItWasSetToIsSaved() throws Exception {
    WaveReport report =
        waves(
            TWO,
            """
            touch part$n; if [ $n = 1 ]; then
              touch evil; git add .; git commit -qm "evil" -m "Parley-Run: $PARLEY_RUN
            Parley-Task: task-2"
              git update-ref refs/heads/parley/$PARLEY_RUN/merged HEAD; git rm -q evil; fi
            """,
            "",
            "");
    assertThat(report.ok()).as(report.json().toString()).isTrue();
    assertThat(git.run("ls-tree", "--name-only", "work").lines()).doesNotContain("evil");
    assertThat(git.run("log", "--format=%s", "main..work").lines())
        .contains("Task 1: one", "Task 2: two")
        .doesNotContain("evil");
    assertThat(report.remarks())
        .anyMatch(text -> text.contains("was changed by somebody else, and is put back"));
    String saved = git.run("for-each-ref", "--format=%(refname)", "refs/parley/rescue/");
    assertThat(git.run("show", saved + ":evil")).isEmpty();
  }

  @Test
  void aTaskWhoseSessionSomebodyEndsIsDoneByItsGatesAllTheSame() throws Exception {
    workshop.onEvent(event -> {
      if (event instanceof RunEvent.Asked asked && asked.stage().equals("implement")) {
        var team = workshop.context().team();
        for (Task task : team.ledger().look(ledger -> List.copyOf(ledger.tasks().all()))) {
          String owner = task.owner();
          String session = task.session();
          if (task.state() == TaskState.CLAIMED && owner != null && session != null) {
            team.sessions().end(owner, session, "it left");
          }
        }
      }
    });
    String plan = TWO + "Dependencies: Task 1\n";
    WaveReport report = waves(plan, "touch part$n", "", "");
    assertThat(report.ok()).as(report.json().toString()).isTrue();
    List<Task> tasks =
        workshop.context().team().ledger().look(ledger -> List.copyOf(ledger.tasks().all()));
    assertThat(tasks).hasSize(2).allMatch(task -> task.state() == TaskState.DONE);
  }

  /** The base: somebody commits on the branch while the waves are carried out. */
  @Test
  void aBranchThatMovesMeanwhileIsLeftAloneWithAllItsCommits() throws Exception {
    WaveReport report =
        waves(
            TWO,
            "touch part$n; test $n = 2 || git -C ../.. commit -q --allow-empty -m mine",
            "",
            "");
    assertThat(report.ok()).isTrue();
    assertThat(report.forwarded()).isNull();
    assertThat(report.remarks()).anyMatch(text -> text.contains("or has moved; merge by hand"));
    assertThat(git.run("log", "--format=%s", "main..work")).isEqualTo("mine");
    assertThat(git.run("log", "--format=%s", "main.." + report.record().mergedBranch()).lines())
        .containsExactly("Task 2: two", "Task 1: one");
    assertThat(TreeState.of(git).isClean()).isTrue();
  }

  /** An upstream that is a branch of this repository is fetched from nowhere. */
  @Test
  void anUpstreamIsFetchedFromTheRemoteThatGitNamesForIt() throws Exception {
    git.run("branch", "--quiet", "--set-upstream-to=main");
    assertThat(WaveStart.check(git, TWO, false).state().behind()).isZero();
    git.run("branch", "--quiet", "feature/x");
    git.run("branch", "--quiet", "--set-upstream-to=feature/x");
    assertThat(WaveStart.check(git, TWO, false).state().upstream()).isEqualTo("feature/x");

    Path clone = folder.resolve("clone");
    new Git(folder)
        .run("clone", "--quiet", "--origin=a/b", repository.folder().toString(), clone.toString());
    repository.commit("news", "x\n");
    assertThatThrownBy(() -> WaveStart.check(new Git(clone), TWO, false))
        .hasMessageContaining("1 commits behind a/b/work");
  }
}
