package dev.parley.cli.runners;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import dev.parley.coordination.fold.Fields;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** parley loop and waves, also under the names, flags and variables of seed 000. */
class RunnersCommandsTest {
  private static final String PLAN =
      """
      ## Task 1: one
      **Files:**
      - Create: `part1`
      **Dependencies:** None

      ### Task 2: two
      Files:
      - Modify: `part1:3-9`
      - Test: `part2`
      Dependencies: None

      ## Task 3: three
      Dependencies: none
      """;

  @TempDir private Path folder;
  private Path project;
  private Trial trial;

  @BeforeEach
  void makeAProject() throws IOException, InterruptedException {
    project = Files.createDirectory(folder.resolve("project"));
    Files.createDirectories(folder.resolve("config/parley"));
    trial =
        new Trial(project)
            .with("PATH", "/usr/bin:/bin")
            .with("HOME", folder.toString())
            .with("XDG_CONFIG_HOME", folder.resolve("config").toString())
            .with("PARLEY_STATE", folder.resolve("state").toString());
    Files.writeString(project.resolve("test.sh"), "test ! -f bad\n");
    Files.writeString(project.resolve("plan.md"), PLAN);
    git("init", "--quiet", "--initial-branch=main");
    git("config", "user.name", "t");
    git("config", "user.email", "t@localhost");
    assertThat(trial.run("init").exitCode()).isZero();
    git("add", "--all");
    git("commit", "--quiet", "-m", "start");
    git("switch", "--quiet", "-c", "work");
  }

  private String git(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("git", "-C", project.toString()));
    command.addAll(List.of(words));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String out =
        new String(
            process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isZero();
    return out.strip();
  }

  private void agent(String script) throws IOException {
    Path file = folder.resolve("agent.sh");
    Files.writeString(file, "#!/bin/bash\ncat > " + folder + "/prompt\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    Files.writeString(
        folder.resolve("config/parley/parley.toml"),
        "[agents.worker]\ncommand = [\"" + file + "\"]\n[work]\nagent = \"worker\"\n");
  }

  @Test
  void aDryRunShowsWavesFilesThatAreSharedAndWhatItMayUseUp() throws Exception {
    agent("true");
    Answer answer = trial.run("parallel-run", "--plan", "plan.md", "--dry-run");
    assertThat(answer.lines())
        .containsExactly(
            "Plan: 3 tasks, 2 waves. Nothing is done.",
            "  Wave 0: Task 1: one, Task 3: three",
            "  Wave 1: Task 2: two",
            "  part1 is named by task 1, task 2",
            "At most 90 asks (each task 3 times, 5 iterations, two asks each), 1h (run_timeout) and"
                + " $20 (max_cost, if agents report it).");
    Files.writeString(
        project.resolve("plan.md"),
        "## Task 1: a\nFiles:\n- Modify: `src/`\n## Task 2: b\nFiles:\n- Create: `src/b`\n");
    assertThat(trial.run("waves", "--plan", "plan.md", "--dry-run").lines())
        .contains(
            "  Wave 1: Task 2: b", "  src/ of task 1 has files in common with src/b of task 2");
    Files.writeString(project.resolve("plan.md"), PLAN);
    Answer json =
        trial
            .with("PARALLEL_MAX_CONFLICT_RERUNS", "0")
            .run("waves", "--plan", "plan.md", "--dry-run", "--skip-spec", "--json");
    assertThat(json.json()).containsEntry("mostAsks", Json.of(15));
    assertThat(
            trial
                .with("PARALLEL_MAX_CONFLICT_RERUNS", "x")
                .run("waves", "--plan", "plan.md", "--dry-run")
                .err())
        .contains("PARALLEL_MAX_CONFLICT_RERUNS");
  }

  @Test
  void parallelRunCarriesOutAPlanAndItsStateIsShown() throws Exception {
    trial = trial.with("BUS_DIR", "../boards"); // seed 0.13
    agent(
        "test -d ../../../boards/wave-0 || exit 1; n=$PARLEY_SLOT; case $PWD in */trees/task-$n-*) ;; *) exit 1 ;; esac; if [ $n = 3 ]; then"
            + " touch bad; else echo $n >> part$n; fi");
    assertThat(trial.run("waves", "--plan", "plan.md", "--worktree-dir", "..").err())
        .contains("--worktree-dir");
    assertThat(trial.run("parallel-run", "--plan", "plan.md", "--base-branch", "main").err())
        .contains("This is the branch work, not main.");
    Answer answer =
        trial.run(
            "parallel-run",
            "--plan",
            "plan.md",
            "--base-branch",
            "work",
            "--worktree-dir",
            "trees",
            "--non-interactive",
            "--max-concurrent",
            "2",
            "--max-iterations",
            "1",
            "--skip-spec",
            "--file-wait",
            "5s");
    assertThat(answer.exitCode()).isEqualTo(1); // one task failed
    assertThat(answer.lines()).contains("Merged 2/3, failed 1, skipped 0");
    assertThat(git("log", "--format=%s", "main..work").lines())
        .containsExactly("Task 2: two", "Task 1: one");
    assertThat(git("status", "--porcelain")).isEmpty();

    assertThat(folder.resolve("boards")).doesNotExist();
    Answer status = trial.run("waves", "status");
    assertThat(status.lines())
        .anySatisfy(line ->
            assertThat(line).matches("1 +merged +worker +1 +test after the merge.*Task 1: one"))
        .anySatisfy(line ->
            assertThat(line).matches("1 +failed +worker +1 +test .*Task 3: three: not done.*"));
    Answer watch = trial.run("waves", "watch", "--json");
    Fields shown = Fields.of(Json.parse(watch.lines().getLast()));
    assertThat(shown.text("state")).isEqualTo("complete");
    assertThat(shown.objects("tasks"))
        .extracting(task -> task.text("agent"))
        .containsOnly("worker");
    trial = trial.with("BUS_DIR", "");
    assertThat(trial.run("watch", "--lines").out())
        .contains(
            "task-1",
            "runs in wave 1",
            "is merged as",
            "gate test failed in iteration 1: exit code 1");

    Answer look = trial.run("waves", "clean");
    assertThat(look.out()).contains("can go: parley/", "Nothing was done.");
    assertThat(git("branch", "--list", "parley/*")).isNotEmpty();
    assertThat(trial.run("waves", "clean", "--yes").out()).contains("going: parley/", "Done.");
    assertThat(git("branch", "--list", "parley/*/task-1-one")).isEmpty();
    assertThat(git("branch", "--list", "parley/*/task-3-three")).as("has no commits").isEmpty();
    assertThat(git("branch", "--list", "wip/*")).as("has its work").isNotEmpty();
  }

  @Test
  void ralphRunTakesTheFlagsAndTheVariablesOfTheOriginal() throws Exception {
    agent(
        """
        echo "<!-- BUS:warning -->mind the gap<!-- /BUS -->"; echo x >> out
        cp .ralph_context.md context
        if [ $PARLEY_STAGE = spec ]; then git checkout -q context 2>/dev/null; echo SPEC_PASS; fi
        """);
    Path board = Files.createDirectories(folder.resolve("bus/wave-0"));
    Files.writeString(
        board.resolve("parallel.wave-0.board.jsonl"),
        "{\"id\":\"1-1\",\"seq\":1,\"timestamp\":\"2026-11-19T00:00:00Z\",\"sender\":\"task-2\","
            + "\"topic\":\"parallel.wave-0.board\",\"type\":\"board.discovery\","
            + "\"payload\":{\"text\":\"found it\"}}\n");
    Files.writeString(project.resolve("../task.md"), "Do this\nand that\n");
    Answer answer =
        trial
            .with("RALPH_TIMEOUT_IMPLEMENT", "60")
            .with("RALPH_TIMEOUT_TEST", "60s")
            .with("RALPH_STUCK_THRESHOLD", "2")
            .with("BUS_MAX_BOARD_INJECT", "5")
            .run(
                "ralph-run",
                "--task",
                "../task.md",
                "--max-iterations",
                "2",
                "--implement-timeout",
                "30",
                "--test-timeout",
                "30",
                "--spec-timeout",
                "30",
                "--stuck-threshold",
                "3",
                "--skip-spec",
                "--board-dir",
                board.toString(),
                "--board-topic",
                "parallel.wave-0.board",
                "--task-id",
                "task-1");
    assertThat(answer.err() + answer.out()).contains("done in 1 iterations");
    assertThat(git("log", "-1", "--format=%s")).isEqualTo("task-1: Do this");
    assertThat(git("show", "work:context")).contains("found it (task-2)");
    assertThat(Files.readAllLines(board.resolve("parallel.wave-0.board.jsonl")))
        .hasSize(2)
        .last()
        .asString()
        .contains("\"sender\":\"task-1\"", "\"board.warning\"", "mind the gap");
  }

  @Test
  void aLoopThatWasStoppedByALimitGoesOn() throws Exception {
    agent("echo x >> out; test $(wc -l < out) -ge 3 && rm -f bad || touch bad");
    Answer stopped = trial.run("loop", "--task", "three", "--skip-spec", "--max-asks", "2");
    assertThat(stopped.exitCode()).isEqualTo(1);
    assertThat(stopped.err()).contains("parley loop --resume");
    assertThat(git("status", "--porcelain")).isEmpty();
    Answer resumed = trial.run("loop", "--resume", "last", "--max-asks", "9");
    assertThat(resumed.out()).as(resumed.err()).contains("done in 3 iterations");
    assertThat(git("show", "work:out")).isEqualTo("x\nx\nx");
    Answer again = trial.run("loop", "--resume", "last");
    assertThat(again.err()).contains("is over: done");
    assertThat(trial.run("loop").err()).contains("There is no task.");
  }
}
