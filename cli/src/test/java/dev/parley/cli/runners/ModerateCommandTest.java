package dev.parley.cli.runners;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import dev.parley.core.json.Json;
import dev.parley.orchestration.git.Git;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Seed 4.3 to 4.5 on the command line. */
class ModerateCommandTest {
  @TempDir Path folder;
  private Git git;
  private String base;

  @BeforeEach
  void repository() throws IOException {
    Path target = Files.createDirectory(folder.resolve("target"));
    git = new Git(target);
    git.run("init", "--quiet", "--initial-branch=work");
    git.run("config", "user.name", "tester");
    git.run("config", "user.email", "tester@localhost");
    Files.writeString(target.resolve("test.sh"), "test ! -f bad\n");
    git.run("add", "--all");
    git.run("commit", "--quiet", "-m", "begin");
    base = git.run("rev-parse", "HEAD");
    Files.writeString(folder.resolve("wanted.md"), "Make one and two.\n");
    Files.createDirectories(folder.resolve("config/parley"));
    Files.writeString(
        folder.resolve("config/parley/parley.toml"),
        """
        [agents.worker]
        command = ["%1$s"]
        [agents.reviewer]
        command = ["%2$s"]
        """
            .formatted(
                script("worker", "cat > /dev/null; echo x > $PARLEY_TASK"),
                script(
                    "reviewer",
                    """
                    cat > /dev/null
                    case $PARLEY_STAGE in
                    decompose) echo '{"tasks":[
                      {"description":"Write one","acceptance_criteria":["it is there"],"estimated_hours":2},
                      {"description":"Write \\u001b[31mtwo","acceptance_criteria":["it is there"]}]}';;
                    review) echo '{"criteria_scores":{"code_quality":25,"test_coverage":20,
                      "security":18,"documentation":12,"acceptance_criteria":10},
                      "acceptance":[{"criterion":1,"met":true}]}';;
                    esac
                    """)));
  }

  private Path script(String name, String text) throws IOException {
    Path file = folder.resolve(name + ".sh");
    Files.writeString(file, "#!/bin/bash\n" + text + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    return file;
  }

  private Trial trial() {
    return new Trial(folder)
        .with("XDG_CONFIG_HOME", folder.resolve("config").toString())
        .with("PATH", System.getenv("PATH"));
  }

  private Answer moderate(Trial trial, String... more) {
    List<String> words =
        new ArrayList<>(List.of("moderate", "--target", "target", "--skip-improvement"));
    words.addAll(List.of("--agent", "worker", "--reviewer", "reviewer"));
    words.addAll(List.of(more));
    return trial.run(words.toArray(String[]::new));
  }

  private void init() {
    Answer made = new Trial(folder.resolve("target")).run("init");
    assertThat(made.exitCode()).as(made.err()).isZero();
  }

  @Test
  void requirementsAreCarriedOutInTheTarget() throws Exception {
    init();
    Answer done = moderate(trial(), "--requirements", "wanted.md", "-y", "--json");

    assertThat(done.exitCode()).as(done.err()).isZero();
    Map<String, Json> result = Json.parse(done.lines().getLast()).fields();
    assertThat(result.get("phase")).hasToString("\"completed\"");
    assertThat(result.get("completed")).hasToString("2");
    assertThat(result.get("forwarded").text()).isEqualTo(git.run("rev-parse", "work"));
    assertThat(done.lines()).anyMatch(line -> line.contains("\"event\":\"answered\""));
    assertThat(git.run("ls-tree", "--name-only", "work").lines()).hasSize(3);
    assertThat(git.run("status", "--porcelain")).isEmpty();

    String project = String.valueOf(result.get("project").text());
    Trial there = new Trial(folder.resolve("target"));
    Answer flow = there.run("flow", "--project", "last");
    assertThat(flow.lines().getFirst()).isEqualTo("Message flow of " + project + ":");
    assertThat(flow.lines()).hasSize(11);
    assertThat(flow.lines().get(3))
        .matches(
            "\\d\\d:\\d\\d:\\d\\d  moderator → techlead      TASK_ASSIGNED   task_001_[0-9a-f]{6}");
    assertThat(flow.lines().get(4)).endsWith("techlead → moderator      PR_SUBMITTED    PR #1");
    Answer history = there.run("flow", "--project", project, "--history");
    List<Json> messages = Json.parse(history.out().strip()).items();
    assertThat(messages).hasSize(10);
    assertThat(messages.get(2).fields())
        .containsKeys("message_id", "message_type", "from_agent", "to_agent", "payload");
    Answer status = there.run("moderate", "status");
    assertThat(status.lines().getFirst()).isEqualTo("project " + project + " on work: completed");
    assertThat(status.out())
        .contains("Write one  PR #1 (iter 1)  score 85")
        .doesNotContain("\u001b");
    assertThat(there.run("moderate", "status", project, "--json").json().get("state").text())
        .isEqualTo("complete");
    assertThat(there.run("runs").out()).contains("moderate");
    Answer again = trial().run("moderate", "--target", "target", "--resume", "last", "-y");
    assertThat(again.exitCode()).isEqualTo(3);
    assertThat(again.err()).contains("is complete");
  }

  /** Check 9: "no", the end of input, and nobody to ask. */
  @Test
  void withoutAYesNothingIsAssigned() {
    init();
    Answer nobody = moderate(trial(), "--requirements", "wanted.md");
    assertThat(nobody.exitCode()).isEqualTo(3);
    assertThat(nobody.err()).contains("no terminal", "-y");
    assertThat(new Trial(folder.resolve("target")).run("runs").out()).contains("No runs yet");
    Answer stdin = moderate(trial().answering("Make one."), "--requirements", "-");
    assertThat(stdin.exitCode()).isEqualTo(3);
    assertThat(stdin.err()).contains("-y");

    for (String said : List.of("no", "")) {
      Answer no = moderate(trial().answering(said), "--requirements", "wanted.md");
      assertThat(no.exitCode()).as(no.err()).isEqualTo(3);
      assertThat(no.err()).contains("1. Write one (2 h, task_001_", "(yes/no)");
      assertThat(no.out()).contains("cancelled", "--resume").doesNotContain("Messages:");
    }
    assertThat(new Trial(folder.resolve("target")).run("flow").out())
        .contains("AGENT_READY")
        .doesNotContain("TASK_ASSIGNED");
    Answer yes = trial().answering("yes").run("moderate", "--target", "target", "--resume", "last");
    assertThat(yes.exitCode()).as(yes.err() + yes.out()).isZero();
    assertThat(git.run("rev-parse", "work")).isNotEqualTo(base);
  }

  @Test
  void anErrorEndsWithOneAndSaysHowToGoOn() throws Exception {
    init();
    script("worker", "exit 7");
    Answer failed = moderate(trial(), "--requirements", "wanted.md", "-y", "--max-iterations", "1");
    assertThat(failed.exitCode()).isEqualTo(1);
    assertThat(failed.out())
        .contains("failed    task_001_", "Tasks completed 0/2", "parley moderate --resume run_");
    assertThat(git.run("rev-parse", "work")).isEqualTo(base);
    script("worker", "cat > /dev/null; echo x > $PARLEY_TASK");
    Answer done = trial().run("moderate", "--target", "target", "--resume", "last", "-y");
    assertThat(done.exitCode()).as(done.err()).isZero();
    assertThat(done.out()).contains("Tasks completed 2/2");
  }

  @Test
  void aDryRunShowsPromptsAndLimitsAndAsksNobody() throws Exception {
    init();
    Answer dry =
        moderate(
            trial(),
            "--requirements",
            "wanted.md",
            "--dry-run",
            "--max-tasks",
            "4",
            "--max-cost",
            "2.50");
    assertThat(dry.exitCode()).as(dry.err()).isZero();
    assertThat(dry.out())
        .contains("Make one and two.", "=== review: reviewer", "=== implement: worker")
        .contains("At most 4 tasks, each submitted at most 3 times.")
        .contains("At most 86 asks, 60 minutes, and $2.5 if agents report");
    Files.writeString(
        folder.resolve("config/parley/parley.toml"),
        "[moderate]\nmax_tasks = 2\nmax_reviews = 1\nimprovement = false\nrespond_within = \"9m\"\n",
        StandardOpenOption.APPEND);
    Answer set =
        moderate(trial(), "--requirements", "wanted.md", "--dry-run", "--max-reviews", "2");
    assertThat(set.out())
        .contains("At most 2 tasks, each submitted at most 2 times.")
        .contains("At most 30 asks");
    assertThat(
            moderate(
                    trial(),
                    "--requirements",
                    "wanted.md",
                    "--dry-run",
                    "--json",
                    "--max-tasks",
                    "100",
                    "--max-reviews",
                    "3")
                .json()
                .get("mostAsks"))
        .hasToString("200");
    assertThat(new Trial(folder.resolve("target")).run("runs").out()).contains("No runs yet");
  }

  @Test
  void whatIsMissingIsSaid() {
    init();
    Answer none = moderate(trial(), "-y");
    assertThat(none.exitCode()).isEqualTo(2);
    assertThat(none.err()).contains("--requirements <file>");
    Answer file = trial().run("moderate", "--target", "wanted.md", "-y", "--requirements", "x");
    assertThat(file.err()).contains("is not a folder");
    assertThat(file.exitCode()).isEqualTo(2);
    Answer two =
        trial()
            .run(
                "moderate",
                "--target",
                "target",
                "--requirements",
                "wanted.md",
                "-y",
                "--agent",
                "worker,reviewer");
    assertThat(two.exitCode()).isEqualTo(2);
    assertThat(two.err()).contains("One agent");
    Answer with =
        trial().run("moderate", "--target", "target", "--resume", "last", "-y", "--max-tasks", "3");
    assertThat(with.exitCode()).isEqualTo(2);
    assertThat(with.err()).contains("--max-tasks has no effect with --resume");
    assertThat(new Trial(folder.resolve("target")).run("moderate", "status").exitCode())
        .isEqualTo(3);
  }
}
