package dev.parley.cli.team;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Launched;
import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Agents in terminal panes: shells that stay, and commands in them that come and go. */
class PanesIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path temporary;
  private Path folder;

  @BeforeAll
  static void build() throws Exception {
    try (Launched parley = Launched.parley(Path.of("/"), "--version")) {
      assertThat(parley.answer().exitCode()).isZero();
    }
  }

  @BeforeEach
  void aBus() throws IOException {
    folder = temporary.toRealPath();
    assertThat(new Trial(folder).run("init").exitCode()).isZero();
  }

  /** A shell that reads its commands as one in a pane does, one after the other. */
  private static final class Pane implements AutoCloseable {
    private final Process shell;
    private final Path folder;
    private int commands;

    Pane(Path folder) throws IOException {
      this.folder = folder;
      ProcessBuilder builder =
          new ProcessBuilder("bash").directory(folder.toFile()).redirectErrorStream(true);
      builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
      builder.environment().keySet().removeIf(name -> name.startsWith("PARLEY_"));
      builder.environment().put("PARLEY_STATE", System.getenv("PARLEY_STATE"));
      builder.environment().put("parley", Launched.parley().toString());
      this.shell = builder.start();
    }

    /** Types a line, as it is or the way agents run their commands: in a shell of its own. */
    Answer type(String line) throws IOException {
      Path out = folder.resolve("out-" + shell.pid() + "-" + ++commands);
      Path done = folder.resolve("done-" + shell.pid() + "-" + commands);
      shell
          .getOutputStream()
          .write(
              ("("
                      + line
                      + ") > "
                      + out
                      + " 2>&1 < /dev/null; echo $? > "
                      + done
                      + ".new; mv "
                      + done
                      + ".new "
                      + done
                      + "\n")
                  .getBytes(UTF_8));
      shell.getOutputStream().flush();
      Awaitility.await().atMost(PATIENCE).until(() -> Files.exists(done));
      return new Answer(
          Integer.parseInt(Files.readString(done).strip()), Files.readString(out), "");
    }

    void kill() throws InterruptedException {
      shell.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
      shell.destroyForcibly();
    }
  }

  @Test
  void twoPanesWithTheSameNameOneIsRefused() throws Exception {
    try (Pane first = new Pane(folder);
        Pane second = new Pane(folder)) {
      assertThat(first.type("$parley join --as alice").exitCode()).isZero();

      Answer refused = second.type("$parley inbox --as alice");
      assertThat(refused.exitCode()).as(refused.out()).isEqualTo(3);
      assertThat(refused.out()).contains("alice is here already");
      assertThat(first.type("bash -c '$parley inbox'").exitCode()).isZero();

      assertThat(first.type("$parley leave").exitCode()).isZero();
      assertThat(second.type("$parley inbox --as alice").exitCode()).isZero();
    }
  }

  @Test
  void anAgentWhosePaneDiedTakesItsNameBack() throws Exception {
    try (Pane first = new Pane(folder);
        Pane second = new Pane(folder)) {
      assertThat(first.type("$parley join --as alice").exitCode()).isZero();
      assertThat(second.type("$parley join --as alice").exitCode()).isEqualTo(3);

      first.kill();

      Answer back = second.type("$parley join --as alice");
      assertThat(back.exitCode()).as(back.out()).isZero();
      assertThat(second.type("$parley who").out()).contains("alice  here");
    }
  }

  @Test
  void aPersonInATerminalAndAnAgentTalk() throws Exception {
    try (Pane agent = new Pane(folder);
        Pane person = new Pane(folder)) {
      assertThat(
              agent
                  .type(
                      "export PARLEY_AGENT=worker-1.1; $parley send human --body 'May I?' --needs-reply")
                  .exitCode())
          .isZero();
      assertThat(person.type("$parley wait --as human --timeout 10s").out()).contains("May I?");
      Answer stranger = person.type("$parley send worker-1.1 --as human --body 'Yes.'");
      assertThat(stranger.exitCode()).as(stranger.out()).isZero();
      assertThat(agent.type("$parley wait --as worker-1.1 --timeout 10s").out())
          .contains("Yes.", "from human");
    }
  }

  @Test
  void aWaitIsWokenByAnotherProcessAndAnEnvironmentCarriesASession() throws Exception {
    Answer export = new Trial(folder).run("join", "--as", "bob", "--export");
    String token = export.out().replaceAll("(?s).*='(.*)'.*", "$1");
    try (Launched wait =
        Launched.start(
            folder,
            Map.of("PARLEY_SESSION", token),
            List.of(Launched.parley().toString(), "wait", "--timeout", "60s"))) {
      assertThat(
              new Trial(folder).run("send", "bob", "--as", "alice", "--body", "wake up").exitCode())
          .isZero();
      Answer answer = wait.answer();
      assertThat(answer.exitCode()).as(answer.err()).isZero();
      assertThat(answer.out()).contains("wake up");
    }
  }
}
