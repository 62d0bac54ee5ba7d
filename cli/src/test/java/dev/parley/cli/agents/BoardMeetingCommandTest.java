package dev.parley.cli.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Board meetings as they are typed, with directors that are scripts (seed 1.9). */
class BoardMeetingCommandTest {
  private static final String DIRECTOR =
      """
      cat >>prompts.txt
      case $PARLEY_STAGE in
        assess) echo '{"verdict":"APPROVE","score":8,"concerns":["late"],"recommendations":[]}' ;;
        discuss) echo '{"to":"ALL","type":"AGREE","message":"fine","changes_my_verdict":false}' ;;
        vote) echo '{"final_verdict":"APPROVE","confidence":1,"conditions":[],"reason":"ok"}' ;;
      esac
      """;

  @TempDir private Path folder;
  private Trial trial;

  @BeforeEach
  void makeABusAndAgents() throws IOException {
    Path project = Files.createDirectory(folder.resolve("project"));
    Path config = folder.resolve("config/parley/parley.toml");
    Files.createDirectories(config.getParent());
    Path script = folder.resolve("director.sh");
    Files.writeString(script, "#!/bin/bash\n" + DIRECTOR);
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    Files.writeString(
        config,
        "[agents.first]\ncommand = [\"%s\"]\n[agents.second]\ncommand = [\"%s\"]\n"
            .formatted(script, script));
    Files.writeString(project.resolve("plan.md"), "We rename a button.\n");
    Files.writeString(project.resolve("risky.md"), "We deploy to Production on Friday.\n");
    trial =
        new Trial(project)
            .with("PATH", "/usr/bin:/bin")
            .with("HOME", folder.toString())
            .with("XDG_CONFIG_HOME", folder.resolve("config").toString())
            .with("PARLEY_STATE", folder.resolve("state").toString())
            .with("PARLEY_AGENT", "chair");
    assertThat(trial.run("init").exitCode()).isZero();
  }

  @Test
  void aMeetingOfFiveEndsWithTheVerdictAndTheNamesOfItsFiles() {
    Answer answer =
        trial.run(
            "board",
            "meeting",
            "EVALUATE_PLAN",
            "--proposal",
            "plan.md",
            "--rounds",
            "1",
            "--agents",
            "first,second");

    assertThat(answer.err()).contains("opened board-1 (EVALUATE_PLAN)", "CA", "discussion, round");
    assertThat(answer.exitCode()).isZero();
    assertThat(answer.out()).contains("board-1 is APPROVED", "review-packet.md");
    assertThat(trial.run("board", "show", "board-1").out()).contains("CXO", "fine");
    assertThat(trial.run("runs").out()).contains("board", "complete", "15");
  }

  /** A worker of Conductor's files and a program decide together, while the command waits. */
  @Test
  void aDirectorInAMountedFolderSitsOnTheSameBoardAsAProgram() throws Exception {
    assertThat(trial.run("init", "--dialect", "conductor", ".message-bus").exitCode()).isZero();
    assertThat(trial.run("mount", "conductor", ".message-bus").exitCode()).isZero();
    Path board = folder.resolve("project/.message-bus/board");

    CompletableFuture<Answer> meeting =
        CompletableFuture.supplyAsync(() ->
            trial.run(
                "board",
                "meeting",
                "EVALUATE_PLAN",
                "--proposal",
                "plan.md",
                "--electorate",
                "CA,CPO",
                "--directors",
                "CPO=first",
                "--rounds",
                "0",
                "--json"));
    awaitText(board.resolve("session-board-1.json"), "\"status\": \"ASSESSING\"");
    write(
        board.resolve("assessments.json"),
        "{\"CA\": {\"verdict\": \"REJECT\", \"score\": 3, \"concerns\": [\"no plan\"],"
            + " \"recommendations\": []}}");
    awaitText(board.resolve("votes.json"), "CPO");
    write(
        board.resolve("votes.json"),
        Files.readString(board.resolve("votes.json"))
            .replaceFirst(
                "\\{",
                "{\"CA\": {\"final_verdict\": \"APPROVE\", \"confidence\": 0.6,"
                    + " \"conditions\": [\"a plan\"]},"));

    Answer answer = meeting.get(60, TimeUnit.SECONDS);
    assertThat(answer.exitCode()).as(answer.out()).isZero();
    assertThat(answer.lines().getLast()).contains("\"verdict\":\"APPROVED\"", "a plan");
    assertThat(board.resolve("resolution.md")).content().contains("CA", "CPO");
  }

  private static void awaitText(Path file, String text) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> Files.exists(file) && Files.readString(file).contains(text));
  }

  private static void write(Path file, String text) throws IOException {
    Path whole = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(whole, text);
    Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
  }

  @Test
  void withJsonTheLastLineIsTheResolution() {
    Answer answer =
        trial.run(
            "board",
            "meeting",
            "PRE_LAUNCH",
            "--proposal",
            "plan.md",
            "--electorate",
            "one,two",
            "--directors",
            "one=first,two=second",
            "--rounds",
            "0",
            "--json");

    Json last = Json.parse(answer.lines().getLast());
    assertThat(last.fields().keySet())
        .contains("session", "verdict", "votes", "conditions", "dissent", "consensus");
    assertThat(last.fields().get("verdict")).isEqualTo(Json.of("APPROVED"));
  }

  @Test
  void aQuickReviewRunsInOnePhase() {
    Answer answer =
        trial.run(
            "board",
            "quick",
            "--run",
            "--proposal",
            "plan.md",
            "--agents",
            "first",
            "--context",
            "risky.md");

    assertThat(answer.err()).doesNotContain("discussion");
    assertThat(answer.out()).contains("board-1 is APPROVED");
    assertThat(folder.resolve("project/prompts.txt")).content().contains("Production on Friday");
  }

  @Test
  void stakesAreJudgedByTheWordsOfTheProposal() {
    Answer low =
        trial.run(
            "board",
            "meeting",
            "PRE_LAUNCH",
            "--proposal",
            "plan.md",
            "--electorate",
            "one",
            "--agents",
            "first",
            "--stakes",
            "auto");
    Answer high =
        trial.run(
            "board",
            "meeting",
            "PRE_LAUNCH",
            "--proposal",
            "risky.md",
            "--electorate",
            "one",
            "--agents",
            "first",
            "--rounds",
            "1",
            "--stakes",
            "auto");

    assertThat(low.err()).doesNotContain("vote");
    assertThat(high.err()).contains("discussion, round 1 of 1", "vote");
  }

  @Test
  void mistakesAreRefusedBeforeASessionIsOpened() {
    String[] meeting = {"board", "meeting", "PRE_LAUNCH", "--proposal", "plan.md"};

    assertThat(run(meeting, "--directors", "CAA=first").err()).contains("names no director");
    assertThat(run(meeting, "--directors", "CA=frist").err()).contains("Did you mean first?");
    assertThat(trial.input(" \n").run("board", "meeting", "X", "--proposal", "-").err())
        .contains("There is nothing to decide upon.");
    assertThat(trial.run("board", "quick", "--proposal", "plan.md", "--agents", "first").err())
        .contains("--agents needs --run");
    assertThat(trial.run("board", "list", "--json").out()).isEmpty();
  }

  private Answer run(String[] words, String... more) {
    String[] all = new String[words.length + more.length];
    System.arraycopy(words, 0, all, 0, words.length);
    System.arraycopy(more, 0, all, words.length, more.length);
    return trial.run(all);
  }
}
