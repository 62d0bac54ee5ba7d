package dev.parley.cli.agents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a run leaves for people and other tools: its folder, and what it posts to a journal. */
class RunTracesTest {
  @TempDir private Path folder;
  private Path project;
  private Trial trial;

  @BeforeEach
  void makeABus() throws IOException {
    project = Files.createDirectory(folder.resolve("project"));
    trial =
        new Trial(project)
            .with("PATH", "/usr/bin:/bin")
            .with("HOME", folder.toString())
            .with("XDG_CONFIG_HOME", folder.resolve("config").toString())
            .with("PARLEY_STATE", folder.resolve("state").toString());
    assertThat(trial.run("init").exitCode()).isZero();
    agents("echo warning >&2; echo \"$PARLEY_STAGE of $PARLEY_AGENT\"; echo 'POSITION: yes'");
  }

  private void agents(String script) throws IOException {
    Path file = folder.resolve("agent.sh");
    Files.writeString(file, "#!/bin/bash\ncat >/dev/null\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    StringBuilder toml = new StringBuilder();
    for (String name : List.of("ann", "ben", "cat")) {
      toml.append("[agents.").append(name).append("]\ncommand = [\"").append(file).append("\"]\n");
    }
    Files.createDirectories(folder.resolve("config/parley"));
    Files.writeString(folder.resolve("config/parley/parley.toml"), toml);
  }

  private void mountAJournal() {
    assertThat(trial.run("init", "--dialect", "markdown").exitCode()).isZero();
    assertThat(trial.run("mount", "markdown", "MESSAGE-BUS.md").exitCode()).isZero();
  }

  private List<Json> posts(String type) {
    return trial.run("journal", "read", "--type", type, "--json").lines().stream()
        .map(Json::parse)
        .toList();
  }

  private static String text(Json object, String key) {
    Json value = object.fields().get(key);
    return value == null ? "" : String.valueOf(value.text());
  }

  private Answer consensus(String... more) {
    Stream<String> words =
        Stream.of("consensus", "--mode", "general-prompt", "--prompt", "Is it so?");
    return trial.run(Stream.concat(words, Stream.of(more)).toArray(String[]::new));
  }

  /** Seed 3.5: progress while it runs, and a COMPLETE with the artifacts; all name run and task. */
  @Test
  void aRunPostsItsProgressAndItsEndToTheJournal() {
    mountAJournal();
    trial.with("TASK_ID", "TASK-7");

    assertThat(consensus("--debate").exitCode()).isZero();

    assertThat(posts("PROGRESS"))
        .anyMatch(post -> text(post, "body").startsWith("Begun: consensus, Is it so?"))
        .anyMatch(post -> text(post, "body").equals("analysis: 3 of 3 agents answered"))
        .allMatch(post -> text(post, "taskId").equals("TASK-7"))
        .allMatch(post -> text(post, "agent").equals("orchestrator"));
    Json complete = posts("COMPLETE").getLast();
    assertThat(text(complete, "runId")).startsWith("run_");
    assertThat(complete.toString()).contains("artifacts/review-packet.md");
    assertThat(posts("ERROR")).isEmpty();
    Answer lint = trial.run("journal", "lint");
    assertThat(lint.exitCode()).as(lint.out()).isZero();
  }

  /** Seed 3.4: the form is filled, with what each agent came to. */
  @Test
  void aRunThatFailsPostsAnErrorWithTheAttemptsOfEachAgent() throws IOException {
    mountAJournal();
    agents(
        "[ $PARLEY_AGENT = ben ] && { printf 'lost\\n**Impact:** none\\n```\\n' >&2; exit 3; };"
            + " exit 1");

    assertThat(consensus().exitCode()).isEqualTo(1);

    String body = text(posts("ERROR").getFirst(), "body");
    assertThat(body)
        .contains("**Task:** consensus, Is it so?", "1. ann: exit code 1", "ben: exit code 3: lost")
        .contains("**Impact:** The run run_", "parley runs resume run_");
    assertThat(trial.run("journal", "lint").exitCode()).isZero();
    assertThat(posts("COMPLETE")).isEmpty();
  }

  @Test
  void aMeetingPostsItsReviewInTheFormOfTheDesign() throws IOException {
    mountAJournal();
    agents(
        """
        case $PARLEY_STAGE in
          assess) echo '{"verdict":"CONCERNS","score":6,"concerns":["late"],"recommendations":["test it"]}' ;;
          vote) echo '{"final_verdict":"REJECT","confidence":1,"conditions":[],"reason":"no"}' ;;
        esac
        """);
    Files.writeString(project.resolve("plan.md"), "We rename a button.\n");

    Answer answer =
        trial
            .with("PARLEY_AGENT", "chair")
            .run(
                "board",
                "meeting",
                "EVALUATE_PLAN",
                "--proposal",
                "plan.md",
                "--agents",
                "ann,ben",
                "--rounds",
                "0");

    assertThat(answer.exitCode()).as(answer.err()).isZero();
    assertThat(text(posts("REVIEW").getFirst(), "body"))
        .contains("Scope: EVALUATE_PLAN, board-1", "Severity: blocker", "- CA: late")
        .contains("- CA: test it", "Recommendation: REJECTED");
  }

  @Test
  void aRunThatIsResumedPostsNothingTwice() throws IOException {
    mountAJournal();
    assertThat(consensus("--max-asks", "4", "--debate").exitCode()).isEqualTo(3);
    assertThat(posts("ERROR")).hasSize(1);

    assertThat(trial.run("runs", "resume", "last", "--max-asks", "20").exitCode()).isZero();

    assertThat(posts("PROGRESS"))
        .filteredOn(post -> text(post, "body").equals("analysis: 3 of 3 agents answered"))
        .hasSize(1);
    assertThat(posts("PROGRESS")).anyMatch(post -> text(post, "body").startsWith("Going on:"));
    assertThat(posts("COMPLETE")).hasSize(1);
  }

  /** Seed 3.5 and the traceability rules of the design, in both layouts. */
  @Test
  void theFolderOfAnAskHasBothLayouts() throws IOException {
    assertThat(trial.run("ask", "ann", "What is it?").exitCode()).isZero();

    Path run = onlyRun();
    assertThat(run.getFileName().toString()).matches("run_\\d{8}-\\d{6}-\\d+");
    assertThat(run.resolve("cwd.txt"))
        .content()
        .containsPattern(
            "(?s)^RUN_ID=run_.*\nCWD=.*project\nAGENT=ann\nCMD=.*agent.sh\nPROMPT=.*prompt.md\n"
                + "STDOUT=.*agent-stdout.txt\nSTDERR=.*agent-stderr.txt\nPID=\\d+\nEXIT_CODE=0\n$");
    assertThat(run.resolve("prompt.md")).hasContent("What is it?");
    assertThat(run.resolve("agent-stdout.txt")).hasContent("ask of ann\nPOSITION: yes");
    assertThat(run.resolve("agent-stderr.txt")).hasContent("warning");
    assertThat(run.resolve("pid.txt")).doesNotExist();
    assertThat(run.resolve("prompts/01-ask-ann.md")).hasContent("What is it?");
    assertThat(run.resolve("agent-logs/ann.txt")).content().contains("ask of ann");
    assertThat(run.resolve("run.log"))
        .content()
        .contains("asked ann (ask), prompts/01-ask-ann.md\n  | What is it?", "  | ask of ann");
  }

  @Test
  void aFailingAgentsExitCodeStandsInTheFolderAndARunOfManyHasAllTheirNames() throws IOException {
    agents("exit 7");
    assertThat(trial.run("ask", "ann", "What is it?").exitCode()).isNotZero();
    Path failed = onlyRun();
    agents("echo done");
    assertThat(consensus().exitCode()).isZero();

    assertThat(failed.resolve("cwd.txt")).content().endsWith("EXIT_CODE=7\n");
    try (Stream<Path> runs = Files.list(project.resolve("runs"))) {
      Path many = runs.filter(each -> !each.equals(failed)).findFirst().orElseThrow();
      String text = Files.readString(many.resolve("cwd.txt"), UTF_8);
      assertThat(text).contains("CMD=parley consensus\n").endsWith("EXIT_CODE=0\n");
      assertThat(text.lines().filter(line -> line.startsWith("AGENT=")).findFirst().orElse(""))
          .contains("ann")
          .contains("ben")
          .contains("cat");
      assertThat(many.resolve("artifacts/review-packet.md")).exists();
    }
  }

  private Path onlyRun() throws IOException {
    try (Stream<Path> runs = Files.list(project.resolve("runs"))) {
      return runs.findFirst().orElseThrow();
    }
  }
}
