package dev.parley.cli.runners;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import dev.parley.core.hosts.ModelStandIn.Api;
import dev.parley.core.hosts.ModelStandIn.Reply;
import dev.parley.core.hosts.ModelStandIn.Turn;
import dev.parley.core.hosts.RealHosts;
import dev.parley.core.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The real claude, codex and gemini build a small program in two waves: from a plan to a branch on
 * which it is merged. A stand-in speaks for their models; files are written by their own tools.
 */
@Timeout(400)
class RealHostsWorkIT {
  private static final String PLAN =
      """
      ## Task 1: Greeting
      Write greet.sh, which prints Hello and a comma.
      Files:
      - Create: `greet.sh`

      ## Task 2: Name
      Write name.sh, which prints World.
      Files:
      - Create: `name.sh`

      ## Task 3: Program
      Write main.sh, which prints both.
      Files:
      - Create: `main.sh`
      Dependencies: Task 1, Task 2
      """;

  private static final String TESTS =
      """
      if [ -f name.sh ]; then test "$(sh name.sh)" = World || { echo 'it does not print World'; exit 1; }; fi
      if [ -f main.sh ]; then test "$(sh main.sh)" = 'Hello, World'; fi
      """;

  private static final Pattern WORKTREE =
      Pattern.compile("(/[A-Za-z0-9_./-]*/\\.worktrees/task-[0-9]-[a-z]+)");

  @TempDir private Path folder;

  private static Reply work(Turn turn) {
    String prompt = turn.prompt();
    if (prompt.contains("Check whether a change does what its task asks for")) {
      return new Reply.Text("It does.\nSPEC_PASS\n");
    }
    if (!turn.hasTools() || turn.step() > 0 || !prompt.contains("How your work is checked")) {
      return new Reply.Text(
          "Done. <!-- BUS:discovery -->" + turn.api() + " has written a file<!-- /BUS -->");
    }
    if (prompt.contains("## Task 1:")) {
      return write(turn, "greet.sh", "printf Hello,\n");
    }
    if (prompt.contains("## Task 2:")) {
      // What is wrong at first is told by the gate, and then it is put right.
      boolean told = prompt.contains("it does not print World");
      return write(turn, "name.sh", told ? "echo World\n" : "echo Wrld\n");
    }
    return write(turn, "main.sh", "echo \"$(sh greet.sh) $(sh name.sh)\"\n");
  }

  /** Writes a file by a tool of the host. */
  private static Reply write(Turn turn, String file, String text) {
    Matcher tree = WORKTREE.matcher(turn.body());
    String path = tree.find() ? tree.group(1) + "/" + file : file;
    return switch (turn.api()) {
      case ANTHROPIC ->
          new Reply.ToolCall(
              "Write", Json.object().put("file_path", path).put("content", text).build());
      case GEMINI ->
          new Reply.ToolCall(
              "write_file", Json.object().put("file_path", path).put("content", text).build());
      case OPENAI -> shell(turn, "cat > " + file + " <<'EOF'\n" + text + "EOF\n");
    };
  }

  /** What Codex calls its shell depends on its version and model. */
  private static Reply shell(Turn turn, String command) {
    if (turn.body().contains("\"exec_command\"")) {
      return new Reply.ToolCall("exec_command", Json.object().put("cmd", command).build());
    }
    return turn.body().contains("\"shell_command\"")
        ? new Reply.ToolCall("shell_command", Json.object().put("command", command).build())
        : new Reply.ToolCall(
            "shell",
            Json.object().put("command", Json.ofStrings(List.of("sh", "-c", command))).build());
  }

  private static String git(Path project, String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of("git", "-C", project.toString()));
    command.addAll(List.of(words));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String out = String.join("\n", process.inputReader().readAllLines());
    assertThat(process.waitFor()).as(out).isZero();
    return out;
  }

  private Path project() throws Exception {
    Path project = Files.createDirectory(folder.resolve("project")).toRealPath();
    Files.writeString(project.resolve("test.sh"), TESTS);
    Files.writeString(project.resolve("plan.md"), PLAN);
    git(project, "init", "--quiet", "--initial-branch=main");
    git(project, "config", "user.name", "t");
    git(project, "config", "user.email", "t@localhost");
    return project;
  }

  @Test
  void threeHostsBuildAProgramInTwoWavesFromAPlanToMergedMain() throws Exception {
    Path project = project();
    try (RealHosts hosts =
        RealHosts.start(folder.resolve("home"), project, RealHostsWorkIT::work)) {
      Trial trial = new Trial(project).with("PARLEY_STATE", folder.resolve("state").toString());
      hosts.environment().forEach(trial::with);
      assertThat(trial.run("init").exitCode()).isZero();
      git(project, "add", "--all");
      git(project, "commit", "--quiet", "-m", "start");

      Answer answer =
          trial.run(
              "waves",
              "--plan",
              "plan.md",
              "--agent",
              "claude,codex,gemini",
              "--reviewer",
              "claude",
              "--allow-main",
              "--require-tests");

      assertThat(answer.exitCode()).as(answer.out() + answer.err()).isZero();
      assertThat(git(project, "log", "--reverse", "--format=%s", "main").lines())
          .containsExactly("start", "Task 1: Greeting", "Task 2: Name", "Task 3: Program");
      Process program = new ProcessBuilder("sh", "main.sh").directory(project.toFile()).start();
      assertThat(program.inputReader().readAllLines()).containsExactly("Hello, World");
      assertThat(hosts.model().turns().stream().map(Turn::api).distinct())
          .containsExactlyInAnyOrder(Api.values());
      assertThat(git(project, "status", "--porcelain")).isEmpty();
      Answer status = trial.run("waves", "status");
      assertThat(status.lines())
          .anySatisfy(line -> assertThat(line).matches("1 +merged +claude +1 .*Task 1: Greeting"))
          .anySatisfy(line -> assertThat(line).matches("1 +merged +codex +2 .*Task 2: Name"))
          .anySatisfy(line -> assertThat(line).matches("2 +merged +gemini +1 .*Task 3: Program"));
    }
  }
}
