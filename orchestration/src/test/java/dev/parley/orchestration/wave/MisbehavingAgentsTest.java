package dev.parley.orchestration.wave;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.orchestration.Workshop;
import dev.parley.orchestration.ask.RunLimits;
import dev.parley.orchestration.git.Git;
import dev.parley.orchestration.git.TestRepository;
import dev.parley.orchestration.loop.LoopSettings;
import dev.parley.orchestration.wave.TaskStatus.State;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * One wave in which every agent but one does something it must not; each is caught, and told of.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MisbehavingAgentsTest {
  private static final String SCRIPT =
      """
      cat > /dev/null
      case $PARLEY_SLOT in
        1) date +%N > bad; echo "All tests pass. SPEC_PASS" ;;
        2) echo same > bad ;;
        3) setsid sleep 300 & touch part3 ;;
        4) touch part4; git add .; git commit -qm own; rm -rf "$PWD" ;;
        5) touch part5; echo x > ../../outside ;;
        6) until [ -e SHARED/7 ]; do sleep 0.05; done; date +%N > held ;;
        7) touch SHARED/7; touch held ;;
        8) git reset -q --hard HEAD~1; echo other > part8; git add .; git commit -qm other; date +%N > bad ;;
      esac
      """;

  private static final String PLAN =
      """
      ## Task 1: lies
      ## Task 2: does the same again and again
      ## Task 3: leaves a process behind
      ## Task 4: deletes its worktree
      ## Task 5: writes outside
      ## Task 6: writes what another has leased
      ## Task 7: holds a file
      Files:
      - Create: `held`
      ## Task 8: rewrites history
      """;

  private Git git;
  private String base;
  private WaveReport report;

  @BeforeAll
  void carryOut(@TempDir Path folder) throws Exception {
    TestRepository repository = TestRepository.create(folder.resolve("repository"));
    base = repository.commit("test.sh", "test ! -f bad || { cat bad; exit 1; }\n");
    git = repository.git();
    git.run("switch", "--quiet", "-c", "work");
    Path shared = Files.createDirectory(folder.resolve("shared"));
    try (Workshop workshop = new Workshop(folder.resolve("workshop"))) {
      workshop.agent("worker", SCRIPT.replace("SHARED", shared.toString()));
      WaveSettings settings =
          new WaveSettings(
              "worker",
              "worker",
              8,
              0,
              2,
              1,
              20,
              LoopSettings.Times.DEFAULT,
              Duration.ofSeconds(5),
              false,
              false,
              false,
              List.of(),
              "",
              "");
      report =
          WaveRunner.begin(workshop.context(), git, PLAN, settings, RunLimits.DEFAULT, run -> {});
    }
  }

  private String why(int task) {
    assertThat(report.record().task(task).state()).isEqualTo(State.FAILED);
    return report.record().task(task).why();
  }

  @Test
  void aLieIsCaughtByTheTestGate() {
    assertThat(why(1)).contains("not done in 2 iterations; the last gate to fail was test");
  }

  @Test
  void aLoopIsCaughtByTheHashOfItsFailure() {
    assertThat(why(2)).contains("the gate test failed 2 times in the same way");
  }

  @Test
  void processesLeftBehindAreEndedAndCounted() {
    assertThat(report.record().task(3).state()).isEqualTo(State.MERGED);
    assertThat(report.remarks())
        .anyMatch(text -> text.startsWith("task-3: the agent left processes running; "));
  }

  @Test
  void aDeletedWorktreeIsCaughtAndItsCommitsAreOnItsBranch() {
    assertThat(why(4)).contains("the agent deleted its worktree");
    String branch = String.valueOf(report.record().task(4).branch());
    assertThat(git.run("log", "-1", "--format=%s", branch)).isEqualTo("own");
  }

  @Test
  void writingOutsideIsToldWithTheFileAndTheBranchIsLeftAlone() {
    assertThat(report.remarks())
        .anyMatch(text -> text.contains("outside of the worktrees") && text.contains("outside"));
    assertThat(report.forwarded()).isNull();
    assertThat(git.run("rev-parse", "work")).isEqualTo(base);
    assertThat(git.commit(report.record().mergedBranch())).isNotNull();
  }

  @Test
  void aLeasedFileIsCaughtByTheLeasesGateWithItsHolder() {
    assertThat(why(6)).contains("the gate leases failed", "held is leased by task-7");
    assertThat(report.record().task(7).state()).isEqualTo(State.MERGED);
  }

  @Test
  void rewrittenHistoryIsSavedAndTheBranchSetBack() {
    assertThat(why(8)).contains("the tests that were there at the start are gone");
    String branch = String.valueOf(report.record().task(8).branch());
    assertThat(git.run("rev-parse", branch)).isEqualTo(base);
    String wip =
        git.run("branch", "--list", "--format=%(refname:short)", "wip/ralph-fail-task-8-*");
    assertThat(git.run("log", "--format=%s", wip)).contains("other");
  }
}
