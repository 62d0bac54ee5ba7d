package dev.parley.cli.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Launched;
import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Waiting;
import dev.parley.core.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Eight agents, each in a shell of its own, want the same things at the same time. */
class RacesIT {
  private static final int AGENTS = 8;
  private static final int TASKS = Seed.isLong() ? 500 : 30;
  private static final int TURNS = Seed.isLong() ? 40 : 2;
  private static final Duration PATIENCE = Duration.ofMinutes(Seed.isLong() ? 30 : 3);

  @TempDir private Path temporary;
  private Path folder;
  private Trial trial;

  @BeforeAll
  static void build() throws Exception {
    try (Launched parley = Launched.parley(Path.of("/"), "--version")) {
      assertThat(parley.answer().exitCode()).isZero();
    }
  }

  @BeforeEach
  void aBus() throws IOException {
    folder = temporary.toRealPath();
    trial = new Trial(folder);
    assertThat(trial.run("init").exitCode()).isZero();
  }

  /** Runs a script for each agent at once; {@code $agent} is its name. */
  private void race(String script) throws Exception {
    List<Launched> racers = new ArrayList<>();
    for (int i = 0; i < AGENTS; i++) {
      String agent = "agent=r" + i + "; export PARLEY_AGENT=$agent; ";
      racers.add(Launched.bash(folder, agent + script));
    }
    for (Launched racer : racers) {
      try (racer) {
        Trial.Answer answer = racer.answer(PATIENCE);
        assertThat(answer.exitCode()).as(answer.out() + answer.err()).isZero();
      }
    }
  }

  /** Seed 1.10 and the issue of peers whose claims several racers win. */
  @Test
  void everyTaskHasOneWinnerAndNoneIsForgotten() throws Exception {
    for (int i = 0; i < TASKS; i++) {
      assertThat(trial.run("task", "add", "t" + i, "--as", "boss").exitCode()).isZero();
    }

    race(
        """
        while won=$($parley task next --json); do
          id=$(echo "$won" | grep -o '"task":"[^"]*"' | cut -d'"' -f4)
          echo "$id" >> won
          $parley task done "$id" > /dev/null || exit 1
        done
        """);

    List<String> won = Files.readAllLines(folder.resolve("won"));
    assertThat(won)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, TASKS).mapToObj(i -> "t" + i).toList());
    assertThat(trial.run("task", "list", "--state", "done").lines()).hasSize(TASKS + 1);
  }

  @Test
  void onlyOneHoldsAPathAndEveryoneGetsItsTurn() throws Exception {
    race(
        """
        for turn in $(seq %d); do
          $parley lock src/main --wait 5m > /dev/null || exit 1
          mkdir held || { echo "somebody else holds it"; exit 1; }
          echo "$agent" >> turns
          rmdir held
          $parley unlock src/main > /dev/null || exit 1
        done
        """
            .formatted(TURNS));

    assertThat(Files.readAllLines(folder.resolve("turns"))).hasSize(AGENTS * TURNS);
    assertThat(trial.run("locks", "list").out()).contains("Nothing is locked");
  }

  /** Whoever is killed gives way: its task is done by another (seed 1.10). */
  @Test
  void aKilledRunGivesItsTaskBack() throws Exception {
    trial.run("task", "add", "a", "--file", "src/a.ts", "--as", "boss");
    Path started = folder.resolve("started");
    try (Launched worker =
        Launched.bash(
            folder,
            "export PARLEY_AGENT=w; $parley run --task a --grace 3s -- sh -c 'touch started; sleep"
                + " 600' & echo $! > pid; wait")) {
      Waiting.until(() -> Files.exists(started));
      long pid = Long.parseLong(Files.readString(folder.resolve("pid")).strip());
      ProcessHandle run = ProcessHandle.of(pid).orElseThrow();
      List<ProcessHandle> commands = run.descendants().toList();

      assertThat(run.destroyForcibly()).isTrue();
      commands.forEach(ProcessHandle::destroyForcibly);
      var _ = worker.answer();
    }

    Trial.Answer next = trial.run("task", "next", "--wait", "3m", "--as", "other", "--json");

    assertThat(next.exitCode()).as(next.out()).isZero();
    assertThat(trial.run("lock", "src/a.ts", "--as", "other").exitCode()).isZero();
  }
}
