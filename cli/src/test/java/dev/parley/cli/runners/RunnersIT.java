package dev.parley.cli.runners;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Launched;
import dev.parley.cli.testing.Trial.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A signal to the real program while it works. */
class RunnersIT {
  @TempDir private Path folder;

  private Path project() throws Exception {
    Path project = Files.createDirectory(folder.resolve("project"));
    Files.writeString(project.resolve("test.sh"), "true\n");
    git(project, "init", "--quiet", "--initial-branch=work");
    git(project, "config", "user.name", "t");
    git(project, "config", "user.email", "t@localhost");
    git(project, "add", "--all");
    git(project, "commit", "--quiet", "-m", "start");
    Path agent = folder.resolve("agent.sh");
    Files.writeString(
        agent, "#!/bin/bash\ncat > /dev/null\ntouch begun ../../../asked\nsleep 300\n");
    Files.setPosixFilePermissions(agent, PosixFilePermissions.fromString("rwx------"));
    Path config = Files.createDirectories(folder.resolve("config/parley"));
    Files.writeString(
        config.resolve("parley.toml"), "[agents.worker]\ncommand = [\"" + agent + "\"]\n");
    Files.writeString(folder.resolve("plan.md"), "## Task 1: one\n");
    return project;
  }

  private static void git(Path project, String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of("git", "-C", project.toString()));
    command.addAll(List.of(words));
    assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
  }

  /** Acceptance check 10 of seed 000. */
  @Test
  void aSignalEndsAgentsSavesRemovesTheBoardsAndSaysHowToGoOn() throws Exception {
    Path project = project();
    Map<String, String> environment =
        Map.of(
            "HOME", folder.toString(),
            "XDG_CONFIG_HOME", folder.resolve("config").toString(),
            "PARLEY_STATE", folder.resolve("state").toString());
    String parley = Launched.parley().toString();
    try (Launched init = Launched.start(project, environment, List.of(parley, "init"))) {
      assertThat(init.answer().exitCode()).isZero();
    }
    List<String> begin = new ArrayList<>(Launched.INTERRUPTIBLE);
    begin.addAll(
        List.of(parley, "waves", "--plan", "../plan.md", "--agent", "worker", "--skip-spec"));
    try (Launched waves = Launched.start(project, environment, begin)) {
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> Files.exists(folder.resolve("asked")));
      assertThat(project.resolve(".conclave/bus/wave-0")).exists();
      waves.signal("INT");
      Answer answer = waves.answer();
      assertThat(answer.exitCode()).isEqualTo(1);
      assertThat(answer.err()).contains("stopped. To continue: parley waves --resume run_");
    }
    assertThat(project.resolve(".conclave/bus")).doesNotExist();
    assertThat(ProcessHandle.allProcesses().map(ProcessHandle::info))
        .noneMatch(info -> info.commandLine().orElse("").contains(folder + "/agent.sh"));
    Process wip =
        new ProcessBuilder("git", "-C", project.toString(), "branch", "--list", "wip/*").start();
    assertThat(wip.inputReader().readAllLines()).singleElement().asString().contains("task-1");
  }

  /** The word of an agent ends no task: its gates do. */
  @Test
  void anAgentThatReportsItsTaskAsDoneIsRefusedAndItsGatesDecide() throws Exception {
    Path project = project();
    Files.writeString(project.resolve("test.sh"), "test -f done\n");
    git(project, "commit", "--quiet", "--all", "-m", "tests");
    String parley = Launched.parley().toString();
    Files.writeString(
        folder.resolve("agent.sh"),
        """
        #!/bin/bash
        cat > /dev/null
        touch work; test -e ../../../said && touch done
        PARLEY task done $PARLEY_RUN.1 > ../../../said 2>&1; echo "exit $?" >> ../../../said
        """
            .replace("PARLEY task", parley + " task"));
    Map<String, String> environment =
        Map.of(
            "HOME", folder.toString(),
            "XDG_CONFIG_HOME", folder.resolve("config").toString(),
            "PARLEY_STATE", folder.resolve("state").toString());
    try (Launched init = Launched.start(project, environment, List.of(parley, "init"))) {
      assertThat(init.answer().exitCode()).isZero();
    }
    List<String> begin =
        List.of(parley, "waves", "--plan", "../plan.md", "--agent", "worker", "--skip-spec");
    try (Launched waves = Launched.start(project, environment, begin)) {
      Answer answer = waves.answer();
      assertThat(answer.exitCode()).as(answer.out() + answer.err()).isZero();
    }
    assertThat(folder.resolve("said")).content().contains("not by its agent.", "exit 3");
    List<String> list = List.of(parley, "task", "list", "--json");
    try (Launched tasks = Launched.start(project, environment, list)) {
      assertThat(tasks.answer().out()).contains("\"state\":\"done\"", "\"done\",\"work\"");
    }
  }

  /** Its session on the bus was not ended by anybody. */
  @Test
  void aLoopThatWasKilledGoesOnAtOnce() throws Exception {
    Path project = project();
    Files.writeString(
        folder.resolve("agent.sh"),
        """
        #!/bin/bash
        cat > /dev/null
        test -e ../killed || { touch ../asked; sleep 300; }
        touch done
        """);
    Map<String, String> environment =
        Map.of(
            "HOME", folder.toString(),
            "XDG_CONFIG_HOME", folder.resolve("config").toString(),
            "PARLEY_STATE", folder.resolve("state").toString());
    String parley = Launched.parley().toString();
    try (Launched init = Launched.start(project, environment, List.of(parley, "init"))) {
      assertThat(init.answer().exitCode()).isZero();
    }
    List<String> begin =
        List.of(parley, "loop", "--task", "one", "--agent", "worker", "--skip-spec");
    try (Launched loop = Launched.start(project, environment, begin)) {
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> Files.exists(folder.resolve("asked")));
      loop.signal("KILL");
      assertThat(loop.answer().exitCode()).isEqualTo(137);
    }
    Files.createFile(folder.resolve("killed"));
    List<String> resume = List.of(parley, "loop", "--resume", "last");
    try (Launched loop = Launched.start(project, environment, resume)) {
      Answer answer = loop.answer();
      assertThat(answer.exitCode()).as(answer.err()).isZero();
      assertThat(answer.out()).contains("done in 1 iterations");
    }
  }
}
