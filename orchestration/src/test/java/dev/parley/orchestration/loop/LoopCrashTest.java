package dev.parley.orchestration.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.core.Seed;
import dev.parley.core.json.Json;
import dev.parley.orchestration.OtherProcess;
import dev.parley.orchestration.Rounds;
import dev.parley.orchestration.Workshop;
import dev.parley.orchestration.ask.Run;
import dev.parley.orchestration.ask.RunLimits;
import dev.parley.orchestration.ask.RunRecord;
import dev.parley.orchestration.git.Git;
import dev.parley.orchestration.git.TestRepository;
import dev.parley.orchestration.git.TreeState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A loop whose process is killed at random moments, and gone on with from the log alone. */
class LoopCrashTest {
  private static final int KILLS = Integer.getInteger("parley.kills", Seed.isLong() ? 100 : 6);
  private static final int MOST_IN_A_ROUND = 3;

  @TempDir private Path folder;

  /** The process that is killed: begins the loop, or continues it. */
  public static void main(String[] args) throws Exception {
    Path where = Path.of(args[0]);
    Git git = new Git(where.resolve("repository"));
    LoopSettings settings =
        new LoopSettings(
            "task-1",
            "Three steps",
            "worker",
            "worker",
            5,
            3,
            LoopSettings.Times.DEFAULT,
            new LoopSettings.Checks(false, false, false, false),
            List.of(),
            20);
    try (Workshop workshop = workshop(where)) {
      List<RunRecord> runs = RunRecord.all(workshop.log());
      try (Run run =
          runs.isEmpty()
              ? Run.begin(workshop.context(), "loop", Json.EMPTY_OBJECT, RunLimits.DEFAULT)
              : Run.resume(workshop.context(), runs.getLast().id(), RunLimits.DEFAULT)) {
        LoopResult result =
            runs.isEmpty()
                ? Loop.run(run, settings, OtherWorkers.NONE, git)
                : Loop.resume(run, settings, OtherWorkers.NONE, git);
        run.end(result.done() ? "complete" : result.outcome().word(), result.json());
        System.exit(result.done() && result.iterations() == 3 ? 0 : 1);
      }
    }
  }

  /** An agent that does one step each time, and leaves something uncommitted half of the time. */
  private static Workshop workshop(Path where) throws IOException {
    return new Workshop(where.resolve("workshop"))
        .agent(
            "worker",
            "cat > /dev/null; sleep 0.1; echo step >> steps; sleep 0.1; wc -l < steps > count");
  }

  @Test
  void killedAtAnyMomentItComesToTheSameEnd() throws Exception {
    int kills = Rounds.play(folder, "loop crashes", KILLS, LoopCrashTest::round);
    Seed.say("loops: killed " + kills + " times, nothing lost");
  }

  private static int round(Path where, Random random) throws Exception {
    TestRepository repository = TestRepository.create(where.resolve("repository"));
    repository.commit("test.sh", "n=$(wc -l < steps); test $n -ge 3 || { echo $n; exit 1; }\n");
    Git git = repository.git();
    git.run("switch", "--quiet", "-c", "work");
    String base = git.run("rev-parse", "HEAD");
    int kills = 0;
    boolean over = false;
    while (!over) {
      Process process = OtherProcess.start(LoopCrashTest.class, where);
      int wait = 300 + random.nextInt(2_500);
      if (kills < MOST_IN_A_ROUND && !process.waitFor(wait, TimeUnit.MILLISECONDS)) {
        process.destroyForcibly().waitFor();
        kills++;
      } else {
        assertThat(process.waitFor(300, TimeUnit.SECONDS)).isTrue();
        // A run that was complete when it was killed is refused; nothing else may end so.
        over = process.exitValue() == 0 || OtherProcess.output(where).contains("complete");
        assertThat(over).as(OtherProcess.output(where)).isTrue();
      }
    }
    String out = OtherProcess.output(where);
    assertThat(git.run("show", "work:steps")).as(out).isEqualTo("step\nstep\nstep");
    assertThat(git.run("show", "work:count")).as(out).isEqualTo("3");
    assertThat(git.run("log", "--format=%s", base + "..work"))
        .as(out)
        .isEqualTo("task-1: Three steps");
    assertThat(TreeState.of(git).isClean()).isTrue();
    assertThat(repository.folder().resolve(".ralph_state.json")).doesNotExist();
    return Math.max(kills, 1);
  }
}
