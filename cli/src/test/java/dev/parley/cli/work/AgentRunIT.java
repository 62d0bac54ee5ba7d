package dev.parley.cli.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.cli.testing.Launched;
import dev.parley.cli.testing.Trial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs that run as agents, and what the doctor says of an agent's links. */
@Timeout(200)
class AgentRunIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path temp;
  private Path repo;

  @BeforeEach
  void begin() throws IOException, InterruptedException {
    repo = Files.createDirectory(temp.resolve("repo")).toRealPath();
    try (Launched git = Launched.bash(repo, "git init -q")) {
      assertThat(git.answer().exitCode()).isZero();
    }
    assertThat(parley("init").exitCode()).isZero();
  }

  private Trial.Answer parley(String... words) throws IOException, InterruptedException {
    try (Launched parley = Launched.parley(repo, words)) {
      return parley.answer();
    }
  }

  /** A process that has ended and that nobody has asked about is still listed. */
  private static boolean runs(String pid) {
    try {
      String stat = Files.readString(Path.of("/proc", pid, "stat"));
      return !stat.substring(stat.lastIndexOf(')') + 1).strip().startsWith("Z");
    } catch (IOException e) {
      return false;
    }
  }

  private Path script(String name, String text) throws IOException {
    Path script = repo.resolve(name);
    Files.writeString(script, "#!/bin/sh\n" + text);
    assertThat(script.toFile().setExecutable(true)).isTrue();
    return script;
  }

  @Test
  void aProgramGetsItsMailOnStdinReportsHowItEndedAndLeavesNothingBehind()
      throws IOException, InterruptedException {
    Path reviewer =
        script(
            "reviewer",
            """
            echo "I am $PARLEY_AGENT"
            read -r line
            echo "$line"
            sleep 600 &
            echo $! > pid
            exit 3
            """);
    try (Launched run =
        Launched.parley(
            repo,
            "run",
            "--as",
            "reviewer",
            "--mail",
            "stdin",
            "--report",
            "lead",
            "--",
            reviewer.toString())) {
      run.awaitOutput("I am reviewer");
      assertThat(parley("send", "reviewer", "--as", "lead", "--body", "MARKED BODY").exitCode())
          .isZero();

      Trial.Answer answer = run.answer();

      assertThat(answer.exitCode()).isEqualTo(3);
      assertThat(answer.out()).contains("\"body\":\"MARKED BODY\"", "\"from\":\"lead\"");
    }
    assertThat(parley("inbox", "--as", "lead").out()).contains("reviewer has ended: exit code 3");
    assertThat(parley("inbox", "sent", "--as", "lead").out()).contains("delivered");
    assertThat(parley("who").out()).containsPattern("reviewer +gone");
    assertThat(runs(Files.readString(repo.resolve("pid")).strip())).isFalse();
  }

  @Test
  void aCommandIsRunWhenMailComesAndASignalEndsTheWholeTree()
      throws IOException, InterruptedException {
    Path idle =
        script(
            "idle",
            """
            sleep 600 &
            echo $! > pid
            trap 'echo told; exit 0' TERM
            wait
            """);
    try (Launched run =
        Launched.parley(
            repo, "run", "--as", "worker", "--on-mail", "cat >> notices", "--", idle.toString())) {
      await().atMost(PATIENCE).until(() -> parley("wake").out().contains("by program"));
      assertThat(parley("send", "worker", "--as", "lead", "--body", "MARKED BODY").exitCode())
          .isZero();
      await()
          .atMost(PATIENCE)
          .until(() -> parley("wake", "list", "worker").out().contains("wake delivered"));
      assertThat(repo.resolve("notices")).hasContent("Parley: 1 unread from lead: call inbox.");

      run.signal("TERM");

      assertThat(run.answer().out()).contains("told");
    }
    assertThat(runs(Files.readString(repo.resolve("pid")).strip())).isFalse();
    assertThat(parley("who").out()).containsPattern("worker +gone");
  }

  @Test
  void mailComesAsLinesInAFileThatIsGoneAfterwards() throws IOException, InterruptedException {
    Path reader =
        script(
            "reader",
            """
            echo "$PARLEY_MAIL" > where
            while [ "$(wc -l < "$PARLEY_MAIL")" -lt 2 ]; do sleep 0.05; done
            cat "$PARLEY_MAIL"
            """);
    try (Launched run =
        Launched.parley(repo, "run", "--as", "reader", "--mail", "file", "--", reader.toString())) {
      await().atMost(PATIENCE).until(() -> parley("who").out().contains("reader"));
      for (String body : List.of("FIRST BODY", "SECOND BODY")) {
        assertThat(parley("send", "reader", "--as", "lead", "--body", body).exitCode()).isZero();
      }

      Trial.Answer answer = run.answer();

      assertThat(answer.exitCode()).isZero();
      assertThat(answer.lines()).hasSize(2);
      assertThat(answer.lines().getFirst()).startsWith("{").contains("\"body\":\"FIRST BODY\"");
      assertThat(answer.lines().getLast()).contains("\"body\":\"SECOND BODY\"");
    }
    assertThat(parley("inbox", "sent", "--as", "lead").out())
        .contains("delivered")
        .doesNotContain("stored");
    assertThat(Path.of(Files.readString(repo.resolve("where")).strip())).doesNotExist();
  }

  @Test
  void aNoticeIsTypedIntoThePaneThatTheProgramRunsIn() throws IOException, InterruptedException {
    Path chat =
        script(
            "chat",
            "while printf '> '; read -r line; do echo \"got: $line\"; echo \"$line\" >> said; done\n");
    assertThat(parley("run", "--as", "chat", "--mail", "pane", "--", "true").err())
        .contains("not a tmux pane");
    String name = "parley-run-" + ProcessHandle.current().pid();
    String command =
        Launched.parley() + " run --as chat --mail pane -- " + chat + " 2>" + repo + "/err";
    try (Launched tmux =
        Launched.start(
            repo,
            Map.of(),
            List.of(
                "tmux", "-L", name, "-f", "/dev/null", "new-session", "-d", "-x", "90", command))) {
      assertThat(tmux.answer().exitCode()).isZero();
    } catch (IOException e) {
      Assumptions.abort("there is no tmux here");
    }
    try {
      await().atMost(PATIENCE).until(() -> parley("wake").out().contains("by pane"));
      assertThat(parley("send", "chat", "--as", "lead", "--body", "MARKED BODY").exitCode())
          .isZero();
      await()
          .atMost(PATIENCE)
          .until(() -> parley("wake", "list", "chat").out().contains("wake delivered"));
      assertThat(repo.resolve("said")).hasContent("Parley: 1 unread from lead: call inbox.");
    } finally {
      try (Launched end =
          Launched.start(repo, Map.of(), List.of("tmux", "-L", name, "kill-server"))) {
        var _ = end.answer();
      }
    }
  }

  @Test
  void whatIsNotClearIsRefusedWithWhatToDo() throws IOException, InterruptedException {
    assertThat(parley("run", "--", "true").err()).contains("--as <agent>");
    assertThat(parley("run", "--as", "a", "--lock", "x", "--", "true").err())
        .contains("--task <task>");
    assertThat(parley("run", "--as", "a", "--task", "1", "--mail", "stdin", "--", "true").err())
        .contains("--mail is for running an agent");
    assertThat(
            parley("run", "--as", "a", "--mail", "stdin", "--on-mail", "cat", "--", "true").err())
        .contains("Give one of them");
    assertThat(parley("run", "--as", "a", "--", "no-such-program").err())
        .contains("Check its name");
  }

  @Test
  void theDoctorTriesEachLinkAndSaysWhatToDo() throws IOException, InterruptedException {
    Path home = Files.createDirectory(temp.resolve("home"));
    Map<String, String> environment = Map.of("HOME", home.toString());
    assertThat(parley("join", "--as", "alice").exitCode()).isZero();
    assertThat(parley("setup", "claude", "--yes").exitCode()).isZero();
    assertThat(parley("send", "alice", "--as", "human", "--body", "MARKED BODY").exitCode())
        .isZero();
    try (Launched wait =
        Launched.bash(repo, "$parley hook claude wait --as alice </dev/null 2>/dev/null")) {
      assertThat(wait.answer().exitCode()).isEqualTo(2);
    }
    List<String> doctor =
        List.of(Launched.parley().toString(), "doctor", "--agent", "alice", "--json");
    try (Launched before = Launched.start(repo, environment, doctor)) {
      Trial.Answer answer = before.answer();
      assertThat(answer.exitCode()).isEqualTo(1);
      assertThat(answer.out())
          .contains(
              "{\"link\":\"claude tool call\",\"works\":true",
              "{\"link\":\"claude edit hook\",\"works\":true",
              "through the MCP server; if that fails, it goes on",
              "{\"link\":\"wake\",\"works\":false",
              "{\"link\":\"git guard\",\"works\":false",
              "parley guard install");
    }
    assertThat(parley("wake", "list", "alice").out())
        .as("nothing that was tried is an act of the agent")
        .contains("wake delivered")
        .doesNotContain("wake woken");
    assertThat(parley("guard", "install").exitCode()).isZero();
    assertThat(parley("setup", "claude", "--strict", "--yes").exitCode()).isZero();
    try (Launched strict = Launched.start(repo, environment, doctor)) {
      assertThat(strict.answer().out())
          .contains(
              "{\"link\":\"claude settings\",\"works\":true",
              "by a command; if that fails, it is refused too");
    }
    Path settings = repo.resolve(".claude/settings.json");
    Files.writeString(settings, Files.readString(settings).replace("PreToolUse", "Never"));
    try (Launched after = Launched.start(repo, environment, doctor)) {
      assertThat(after.answer().out())
          .contains(
              "{\"link\":\"git guard\",\"works\":true",
              "{\"link\":\"claude settings\",\"works\":false");
    }
    assertThat(parley("locks").out()).contains("Nothing is locked");
  }
}
