package dev.parley.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Launched;
import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo is what it shows: nothing in it is theatre. */
class DemoIT {
  @TempDir private Path temporary;
  private Path folder;

  @BeforeEach
  void realPath() throws IOException {
    folder = temporary.toRealPath();
  }

  private Launched demo(String... options) throws IOException {
    Map<String, String> environment = Map.of("PARLEY_JAVA_OPTS", "-Djava.io.tmpdir=" + folder);
    return Launched.start(
        folder,
        environment,
        Stream.concat(Stream.of(Launched.parley().toString(), "demo"), Stream.of(options))
            .toList());
  }

  private Path bus() throws IOException {
    try (Stream<Path> made = Files.list(folder)) {
      return made.filter(path -> path.getFileName().toString().startsWith("parley-demo-"))
          .findFirst()
          .orElseThrow()
          .resolve(".parley");
    }
  }

  @Test
  void everyLineIsToldAgainFromTheBusItLeft() throws Exception {
    Answer answer;
    try (Launched demo = demo("--seed", "3")) {
      answer = demo.answer();
      assertThat(answer.exitCode()).as(answer.out() + answer.err()).isZero();
    }
    DemoReplay retold = DemoReplay.from(bus());

    assertThat(byTopic(answer.lines())).isEqualTo(retold.linesOfTopics());
    assertThat(answer.lines()).containsSequence(retold.summary());
  }

  @Test
  void aDebateAndABoardArePlayedWithoutAModel() throws Exception {
    try (Launched demo = demo("debate")) {
      Answer answer = demo.answer();
      assertThat(answer.exitCode()).as(answer.out() + answer.err()).isZero();
      assertThat(answer.out())
          .contains("$ parley consensus", "SQLite in WAL mode", "board-1 is APPROVED")
          .contains("a restore was tried");
    }
  }

  @Test
  void aPlanIsPlayedInWavesWithAConflictAndATaskThatFails() throws Exception {
    try (Launched demo = demo("waves")) {
      Answer answer = demo.answer();
      assertThat(answer.exitCode()).as(answer.out() + answer.err()).isZero();
      assertThat(answer.err())
          .contains(
              "=== Wave 2/3 ===", "conflict in NOTES; it is run again on what is merged by now")
          .contains("task-3: test failed");
      assertThat(answer.out())
          .contains("the gate test failed 2 times in the same way")
          .contains("failed   Task 4", "skipped  Task 5", "Merged 3/5, failed 1, skipped 1")
          .contains("demo is now ");
    }
  }

  @Test
  void aProjectIsPlayedWithAReviewThatSendsATaskBack() throws Exception {
    try (Launched demo = demo("moderate")) {
      Answer answer = demo.answer();
      assertThat(answer.exitCode()).as(answer.out() + answer.err()).isZero();
      assertThat(answer.out())
          .contains("PR_FEEDBACK            Score: 75", "PR #1 (iter 2)", "Find notes")
          .contains("Tasks completed 2/2", "IMPROVEMENT_COMPLETED");
    }
  }

  /** The lines that name an envelope, by its topic. */
  private static Map<String, List<String>> byTopic(List<String> lines) {
    return lines.stream()
        .filter(line -> line.matches(".*  [a-z0-9.-]+@[0-9]+"))
        .collect(
            Collectors.groupingBy(
                line -> line.substring(line.lastIndexOf(' ') + 1, line.lastIndexOf('@')),
                TreeMap::new,
                Collectors.toList()));
  }

  @Test
  void theStoryHasAllThatParleyIsFor() throws Exception {
    try (Launched demo = demo()) {
      Answer answer = demo.answer();

      assertThat(answer.exitCode()).as(answer.out() + answer.err()).isZero();
      assertThat(answer.out())
          .contains("adds 2.1 All together (after 1.1, 1.2, 1.3, 1.5)")
          .containsPattern("ben +waits in line for .*, after ann")
          .containsPattern("cleo +asks ann")
          .contains("ann → cleo → ann would wait for each other")
          .containsPattern("ben +drops 1.4: ann found that")
          .contains("kills dan (SIGKILL)")
          .contains("loses 1.5")
          .containsPattern("cleo +claims 1.5, which dan began")
          .contains("closes board-1: APPROVED, against")
          .contains("parley board show board-1 --bus " + bus());
    }
    Trial trial = new Trial(folder);
    String bus = bus().toString();
    assertThat(trial.run("task", "list", "--bus", bus).out()).contains("cancelled");
    assertThat(trial.run("board", "show", "board-1", "--bus", bus).exitCode()).isZero();
    assertThat(trial.run("doctor", "--bus", bus).exitCode()).isZero();
  }

  @Test
  void aDemoThatIsInterruptedLeavesNoProcessBehind() throws Exception {
    try (Launched demo = demo("--slow")) {
      demo.awaitOutput("joins");
      List<ProcessHandle> agents = demo.descendants();
      assertThat(agents).isNotEmpty();

      demo.signal("INT");

      demo.answer();
      assertThat(agents).noneMatch(ProcessHandle::isAlive);
    }
  }
}
