package dev.parley.orchestration.wave;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Seed;
import dev.parley.orchestration.OtherProcess;
import dev.parley.orchestration.Rounds;
import dev.parley.orchestration.Workshop;
import dev.parley.orchestration.ask.RunLimits;
import dev.parley.orchestration.ask.RunRecord;
import dev.parley.orchestration.git.Git;
import dev.parley.orchestration.git.TestRepository;
import dev.parley.orchestration.git.Trailers;
import dev.parley.orchestration.git.TreeState;
import dev.parley.orchestration.loop.LoopSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run in waves whose process and agents are killed at random moments, and gone on with. */
class WaveCrashTest {
  private static final String PLAN =
      """
      ## Task 1: one
      Files:
      - Create: `part1`
      ## Task 2: two
      Files:
      - Create: `part2`
      ## Task 3: three
      Dependencies: Task 1, Task 2
      """;

  private static final int KILLS = Integer.getInteger("parley.kills", Seed.isLong() ? 500 : 12);
  private static final int MOST_IN_A_ROUND = 4;

  @TempDir private Path folder;

  /** The process that is killed: begins the run, or continues it. */
  public static void main(String[] args) throws Exception {
    Path where = Path.of(args[0]);
    Git git = new Git(where.resolve("repository"));
    try (Workshop workshop = workshop(where)) {
      List<RunRecord> runs = RunRecord.all(workshop.log());
      WaveReport report =
          runs.isEmpty()
              ? WaveRunner.begin(
                  workshop.context(), git, PLAN, settings(), RunLimits.DEFAULT, run -> {})
              : WaveRunner.resume(
                  workshop.context(), git, runs.getLast().id(), RunLimits.DEFAULT, run -> {});
      System.exit(report.ok() ? 0 : 1);
    }
  }

  private static WaveSettings settings() {
    return new WaveSettings(
        "worker",
        "worker",
        2,
        2,
        9,
        9,
        20,
        LoopSettings.Times.DEFAULT,
        Duration.ofMinutes(1),
        false,
        false,
        false,
        List.of(),
        "",
        "");
  }

  private static Workshop workshop(Path where) throws IOException {
    return new Workshop(where.resolve("workshop"))
        .agent(
            "worker",
            "cat > /dev/null; n=$PARLEY_SLOT; sleep 0.2; echo part $n > part$n; ls part* > list$n");
  }

  @Test
  void killedAtAnyMomentItComesToTheSameEnd() throws Exception {
    int kills =
        Rounds.play(
            folder,
            "wave crashes",
            KILLS,
            (where, random) -> round(where, random, MOST_IN_A_ROUND));
    Seed.say("waves: killed " + kills + " times, nothing lost, nothing merged twice");
  }

  /** Agents are killed as well; the loop takes that for a turn that failed. */
  private static int killAgents(Process process) {
    List<ProcessHandle> agents =
        process
            .descendants()
            .filter(each -> each.info().commandLine().orElse("").contains("worker.sh"))
            .toList();
    agents.forEach(ProcessHandle::destroyForcibly);
    return agents.size();
  }

  private static int round(Path where, Random random, int most) throws Exception {
    TestRepository repository = TestRepository.create(where.resolve("repository"));
    repository.commit("test.sh", "test -f list1 -o -f list2 -o -f list3\n");
    Git git = repository.git();
    git.run("switch", "--quiet", "-c", "work");
    String base = git.run("rev-parse", "HEAD");
    int kills = 0;
    int exit = -1;
    while (exit != 0) {
      Process process = OtherProcess.start(WaveCrashTest.class, where);
      int wait = 300 + random.nextInt(3_500);
      if (kills < most && !process.waitFor(wait, TimeUnit.MILLISECONDS)) {
        kills += random.nextInt(3) == 0 ? killAgents(process) : 0;
        process.waitFor(random.nextInt(1_000), TimeUnit.MILLISECONDS);
        process.destroyForcibly().waitFor();
        kills++;
      } else {
        assertThat(process.waitFor(300, TimeUnit.SECONDS)).isTrue();
        exit = process.exitValue();
        if (exit != 0) {
          // A run that was complete when it was killed is refused; nothing else may end so.
          assertThat(OtherProcess.output(where)).contains("complete");
          break;
        }
      }
    }
    String out = OtherProcess.output(where);
    assertThat(git.run("ls-tree", "--name-only", "work").lines())
        .as(out)
        .containsExactly("README", "list1", "list2", "list3", "part1", "part2", "part3", "test.sh");
    assertThat(git.run("show", "work:list3")).isEqualTo("part1\npart2\npart3");
    List<String> merged =
        new ArrayList<>(
            git.run("log", "--reverse", "--format=%s", base + "..work").lines().toList());
    assertThat(merged).containsExactly("Task 1: one", "Task 2: two", "Task 3: three");
    try (Workshop workshop = workshop(where)) {
      String run = RunRecord.all(workshop.log()).getLast().id();
      assertThat(Trailers.commits(git, base, "work", run)).hasSize(3);
    }
    assertThat(TreeState.of(git).isClean()).isTrue();
    return Math.max(kills, 1);
  }
}
