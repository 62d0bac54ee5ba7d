package dev.parley.cli.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Seed 0.6: the orchestrator makes the bus folder with its .pid, and removes it. */
class ConclaveFolderOfARunTest {
  @TempDir private Path folder;
  private Path bus;
  private Trial trial;

  @BeforeEach
  void makeAgents() throws IOException {
    Path project = Files.createDirectory(folder.resolve("project"));
    bus = project.resolve(".conclave/bus");
    Path script = folder.resolve("agent.sh");
    // The chairman looks at what other tools would see at that moment.
    Files.writeString(
        script,
        """
        #!/bin/bash
        cat >/dev/null
        if [ "$PARLEY_STAGE" = synthesis ]; then
          for i in $(seq 100); do
            grep -qs debate.rebuttal "$LOOK_AT"/consensus.*.debate.jsonl && break
            sleep 0.1
          done
          cat "$LOOK_AT"/.pid 2>/dev/null; cat "$LOOK_AT"/*.jsonl
        else
          echo "THESIS: mine."; echo "POSITION: yes"
        fi
        """);
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    Files.createDirectories(folder.resolve("config/parley"));
    Files.writeString(
        folder.resolve("config/parley/parley.toml"),
        "[agents.ann]\ncommand = [\"%s\"]\n[agents.ben]\ncommand = [\"%s\"]\n"
            .formatted(script, script));
    trial =
        new Trial(project)
            .with("PATH", "/usr/bin:/bin")
            .with("HOME", folder.toString())
            .with("LOOK_AT", bus.toString())
            .with("XDG_CONFIG_HOME", folder.resolve("config").toString())
            .with("PARLEY_STATE", folder.resolve("state").toString());
  }

  private Answer consensus(String... before) {
    String[] words = {"consensus", "--mode", "general-prompt", "--prompt", "Is it so?", "--debate"};
    String[] all = new String[before.length + words.length];
    System.arraycopy(words, 0, all, 0, words.length);
    System.arraycopy(before, 0, all, words.length, before.length);
    return trial.run(all);
  }

  private void sawTheDebate(Answer answer) {
    assertThat(answer.exitCode()).as(answer.err()).isZero();
    assertThat(answer.out())
        .startsWith(ProcessHandle.current().pid() + "\n")
        .contains("\"type\":\"debate.finding\"", "\"type\":\"debate.rebuttal\"");
  }

  @Test
  void theDebateIsVisibleInTheFolderWhileTheRunLastsAndTheFolderIsRemoved() {
    trial.with("BUS_DIR", bus.toString());

    sawTheDebate(consensus());

    assertThat(bus).doesNotExist();
    assertThat(trial.run("runs").out()).contains("consensus", "complete");
  }

  @Test
  void theFolderOfARunThatWasKilledIsReplaced() throws IOException {
    Files.createDirectories(bus);
    Files.writeString(bus.resolve(".pid"), "999999999\n");
    Files.writeString(bus.resolve("old.jsonl"), "{\"id\":\"1-1\",\"topic\":\"old\"}\n");

    Answer answer = consensus("--bus", "conclave:" + bus);

    sawTheDebate(answer);
    assertThat(answer.out()).doesNotContain("\"old\"");
    assertThat(bus).doesNotExist();
  }

  @Test
  void aFolderThatSomebodyMadeToKeepIsUsedAndStays() throws IOException {
    Files.createDirectories(bus);
    Files.writeString(bus.resolve("mine.jsonl"), "");
    trial.with("BUS_DIR", bus.toString());

    Answer answer = consensus();

    assertThat(answer.exitCode()).as(answer.err()).isZero();
    assertThat(answer.out()).contains("debate.rebuttal");
    assertThat(bus.resolve("mine.jsonl")).exists();
    assertThat(bus.resolve(".pid")).doesNotExist();
  }

  @Test
  void whatRunsNoAgentsMakesNoFolder() {
    trial.with("BUS_DIR", bus.toString());

    assertThat(consensus("--dry-run").exitCode()).isZero();

    assertThat(bus).doesNotExist();
  }
}
