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
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** parley consensus and auto-review, with the flags and the environment of seed 000. */
class ConsensusCommandsTest {
  @TempDir private Path folder;
  private Path project;
  private Trial trial;

  @BeforeEach
  void makeABus() throws IOException {
    project = Files.createDirectory(folder.resolve("project"));
    Files.createDirectories(folder.resolve("config/parley"));
    trial =
        new Trial(project)
            .with("PATH", "/usr/bin:/bin")
            .with("HOME", folder.toString())
            .with("XDG_CONFIG_HOME", folder.resolve("config").toString())
            .with("PARLEY_STATE", folder.resolve("state").toString());
    assertThat(trial.run("init").exitCode()).isZero();
    agents("echo \"$PARLEY_STAGE of $PARLEY_AGENT\"; echo 'POSITION: yes'");
  }

  private void agents(String script) throws IOException {
    Path file = folder.resolve("agent.sh");
    Files.writeString(file, "#!/bin/bash\ncat >/dev/null\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    StringBuilder toml = new StringBuilder();
    for (String name : new String[] {"ann", "ben", "cat"}) {
      toml.append("[agents.").append(name).append("]\ncommand = [\"").append(file).append("\"]\n");
    }
    Files.writeString(folder.resolve("config/parley/parley.toml"), toml);
  }

  private Answer ask(String... more) {
    String[] args = new String[5 + more.length];
    System.arraycopy(
        new String[] {"consensus", "--mode", "general-prompt", "--prompt", "Is it so?"},
        0,
        args,
        0,
        5);
    System.arraycopy(more, 0, args, 5, more.length);
    return trial.run(args);
  }

  @Test
  void stdoutIsTheChairmansTextAndTheEffectIsToldBesideIt() {
    Answer answer = ask("--debate");

    assertThat(answer.exitCode()).isZero();
    assertThat(answer.out()).isEqualTo("synthesis of ann\nPOSITION: yes\n");
    assertThat(answer.err())
        .contains("analysis: 3 of 3 agents answered", "ben (debate): answered")
        .contains("Changed position: nobody.", "Same as the majority before the debate: yes");
    assertThat(trial.run("consensus", "stats").out())
        .containsPattern("1 +debates that ended as the majority before");
    assertThat(trial.run("consensus", "stats", "--json").json().get("extraAsks"))
        .isEqualTo(Json.of(3));
    assertThat(trial.run("runs", "resume", "last").err()).contains("is complete");
  }

  @Test
  void withJsonTheLastLineIsTheWholeResult() {
    Answer answer = ask("--debate", "--debate-rounds", "5", "--agents", "ben,ann", "--json");

    Json last = Json.parse(answer.lines().getLast());
    assertThat(last.fields().keySet())
        .containsExactly(
            "session", "mode", "analyses", "rebuttals", "synthesis", "degraded", "draw", "effect");
    assertThat(Objects.requireNonNull(last.fields().get("rebuttals")).items()).hasSize(4);
    assertThat(answer.err()).contains("at most 2 rounds, not 5");
  }

  @Test
  void theEnvironmentOfTheDesignCountsAndAFlagGoesBeforeIt() {
    trial.with("CONSENSUS_DEBATE_ROUNDS", "2").with("CONSENSUS_STAGE1_TIMEOUT", "30");

    assertThat(ask("--debate", "--dry-run").out())
        .contains("Debate: 2 round(s)", "At most 12 asks", "# Independent analysis", "Is it so?")
        .contains("--- debate, round 2, for cat", "(the rebuttal of agent ")
        .contains("--- synthesis, for ann, else ben, else cat", "(the analysis of agent ");
    assertThat(ask("--debate", "--debate-rounds", "1", "--dry-run").out())
        .contains("Debate: 1 round(s)");
    assertThat(ask("--dry-run").out()).contains("Debate: none");
    assertThat(trial.run("runs").out()).startsWith("No runs yet");
  }

  @Test
  void withoutAChairmanTheAnalysesAreDeliveredAndTheExitCodeSaysSo() throws Exception {
    agents("[ $PARLEY_STAGE = analysis ] || exit 1; echo mine");

    Answer answer = ask();

    assertThat(answer.exitCode()).isEqualTo(5);
    assertThat(answer.out()).contains("--- analysis of ann\nmine");
    assertThat(answer.err())
        .contains("this is not a full result: 3 of 3 agents answered, and nobody summed up");
  }

  /** A run that was begun with little does not go on with more because nobody said so again. */
  @Test
  void aResumedRunHasTheLimitsWithWhichItWasBegun() {
    assertThat(ask("--max-asks", "3").exitCode()).isEqualTo(3);

    Answer again = trial.run("runs", "resume", "last");
    assertThat(again.exitCode()).isEqualTo(3);
    assertThat(again.err()).contains("has reached its limit of 3 asks");
    assertThat(trial.run("runs", "resume", "last", "--max-asks", "4").exitCode()).isZero();
  }

  @Test
  void aPositionThatChangedWithoutAReasonIsCounted() throws Exception {
    agents("[ $PARLEY_STAGE = analysis ] && echo 'POSITION: no' || echo 'POSITION: yes'");

    assertThat(ask("--debate").err()).contains("ann: no → yes (no reason given)");

    assertThat(trial.run("consensus", "stats", "--json").json())
        .containsEntry("debatesThatChangedAPosition", Json.of(1))
        .containsEntry("changesWithoutReason", Json.of(3));
  }

  @Test
  void ifAllFailNothingIsOnStdout() throws Exception {
    agents("exit 1");

    Answer answer = ask();

    assertThat(answer.exitCode()).isEqualTo(1);
    assertThat(answer.out()).isEmpty();
    assertThat(trial.run("runs").out()).contains("failed");
  }

  @Test
  void whatIsMissingIsAskedForInTheOrderOfTheDesign() {
    assertThat(trial.run("consensus").err()).contains("--mode");
    assertThat(trial.run("consensus", "--mode", "poem").exitCode()).isEqualTo(2);
    assertThat(trial.run("consensus", "--mode", "general-prompt").err()).contains("--prompt");
    assertThat(trial.run("consensus", "--mode", "code-review").err()).contains("--base-sha");
    assertThat(ask("--agents", "ann,dan").err()).contains("no agent \"dan\"");
    assertThat(ask("--agents", "ann,ann").err()).contains("named twice");
  }

  private void git(String... words) throws Exception {
    String[] command = new String[words.length + 5];
    System.arraycopy(
        new String[] {"git", "-c", "user.name=t", "-c", "user.email=t@example.org"},
        0,
        command,
        0,
        5);
    System.arraycopy(words, 0, command, 5, words.length);
    Process git =
        new ProcessBuilder(command).directory(project.toFile()).redirectErrorStream(true).start();
    String said = new String(git.getInputStream().readAllBytes(), UTF_8);
    assertThat(git.waitFor()).as(said).isZero();
  }

  /** Acceptance check 6, and a verdict that decides the exit code. */
  @Test
  void aReviewOfABranchFindsItsBaseAndItsFindingsDecideTheExitCode() throws Exception {
    agents("echo 'FINDING: important | a.txt:1 | it is wrong'; echo 'POSITION: MERGE'");
    git("init", "-q", "-b", "trunk");
    Files.writeString(project.resolve("a.txt"), "one\n");
    git("add", "a.txt");
    git("commit", "-qm", "one");
    assertThat(trial.run("auto-review", "a", "change").err())
        .contains("none of origin/main, main, origin/master, master exists");
    git("branch", "main");
    assertThat(trial.run("auto-review", "a", "change").err())
        .contains("There is nothing to review");
    Files.writeString(project.resolve("a.txt"), "two\n");
    git("commit", "-qam", "two");

    Answer answer = trial.run("auto-review", "a", "change", "--fail-on", "important");

    assertThat(answer.exitCode()).isEqualTo(6);
    assertThat(answer.out())
        .contains("F1 important a.txt:1: it is wrong (found by ann, ben, cat)")
        .contains("Verdict: MERGE AFTER FIXES");
    assertThat(trial.run("auto-review", "x", "--fail-on", "critical", "--format", "sarif").out())
        .contains("\"version\":\"2.1.0\"", "\"level\":\"warning\"");
    assertThat(trial.run("auto-review", "x", "--dry-run").out())
        .contains("+two", "words of the author");
    git("commit", "-q", "--allow-empty", "-m", "Say three");
    assertThat(trial.run("auto-review", "--dry-run").out()).contains("\ntwo\nSay three\n");
    assertThat(
            trial
                .run(
                    "consensus",
                    "--mode",
                    "code-review",
                    "--base-sha",
                    "-x",
                    "--head-sha",
                    "HEAD",
                    "--description",
                    "d")
                .err())
        .contains("is not a commit");
  }
}
