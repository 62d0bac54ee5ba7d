package dev.parley.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import dev.parley.core.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ErrorsTest {
  @TempDir private Path folder;

  @Test
  void aFailureIsWhatAndWhatToDoOnStderrAndNothingOnStdout() {
    Answer answer = new Trial(folder).run("topics");

    assertThat(answer.exitCode()).isEqualTo(3);
    assertThat(answer.out()).isEmpty();
    assertThat(answer.err().lines())
        .hasSize(2)
        .first()
        .asString()
        .startsWith("parley: There is no bus here");
    assertThat(answer.err()).contains("parley init");
  }

  @Test
  void withJsonAFailureIsOneObjectOnStdoutAndNothingOnStderr() {
    Answer answer = new Trial(folder).run("topics", "--json");

    assertThat(answer.exitCode()).isEqualTo(3);
    assertThat(answer.err()).isEmpty();
    assertThat(answer.json().keySet()).containsExactly("error", "message", "next");
    assertThat(answer.json().get("error")).isEqualTo(Json.of("no-bus"));
  }

  @Test
  void evenACommandLineThatCanNotBeReadAnswersInJson() {
    Answer answer = new Trial(folder).run("pubish", "--json");

    assertThat(answer.exitCode()).isEqualTo(2);
    assertThat(answer.json().get("error")).isEqualTo(Json.of("unknown-command"));
  }

  @Test
  void aFileThatIsNotThereIsNamedAsItWasTyped() throws IOException {
    Trial trial = new Trial(folder).with("PARLEY_AGENT", "alice");
    trial.run("init");
    trial.run("join");
    Files.createDirectory(folder.resolve("docs"));

    Answer missing = trial.run("board", "open", "PLAN", "--proposal", "plan.md");
    assertThat(missing.exitCode()).isEqualTo(3);
    assertThat(missing.err())
        .isEqualTo("parley: No such file: plan.md\nCheck the path and its spelling.\n");
    assertThat(trial.run("bulletin", "scan", "nofile.md", "--wave", "w", "--json").json())
        .containsEntry("error", Json.of("no-such-file"))
        .containsEntry("message", Json.of("No such file: nofile.md"));
    assertThat(trial.run("board", "open", "PLAN", "--proposal", "docs").err())
        .contains("A folder was named where a file is needed: docs");
  }

  /** Whatever is looked for and is not there has one exit code. */
  @Test
  void notFoundIsOneExitCodeEverywhere() {
    Trial trial = new Trial(folder).with("PARLEY_AGENT", "alice");
    trial.run("init");
    trial.run("join");
    for (String line :
        List.of(
            "show nothing",
            "inbox read nothing",
            "inbox ack nothing",
            "inbox rm nothing",
            "inbox resend nothing",
            "inbox release nothing",
            "reply nothing hello",
            "wait reply:nothing",
            "task show nothing",
            "task claim nothing",
            "task done nothing",
            "task progress nothing",
            "task retry nothing",
            "task release nothing",
            "task cancel nothing --reason x",
            "task block nothing --on bob",
            "run --task nothing -- true",
            "board show nothing",
            "board read nothing",
            "board resolve nothing",
            "board advance nothing",
            "board vote nothing --verdict APPROVE",
            "board assess nothing --verdict APPROVE --score 5",
            "board discuss nothing --to ALL --kind AGREE -m x",
            "board check nothing nothing.1",
            "mount remove nothing",
            "mount show nothing",
            "runs show nothing",
            "runs resume nothing",
            "unlock nothing",
            "locks renew nothing",
            "locks check nothing --token 99",
            "send nobody hello there",
            "session end nothing",
            "doctor --undo ledger@12 --reason x")) {
      Answer answer = trial.run(line.split(" "));
      assertThat(answer.exitCode()).as(line + ": " + answer.out() + answer.err()).isEqualTo(3);
    }
  }

  @Test
  void wrongUsageIsExitCode2() {
    Trial trial = new Trial(folder).with("PARLEY_AGENT", "alice");
    trial.run("init");

    assertThat(trial.run("publish").exitCode()).isEqualTo(2);
    assertThat(trial.run("publish", "notes").exitCode()).isEqualTo(2);
    assertThat(trial.run("publish", "../x", "--type", "t").exitCode()).isEqualTo(2);
    assertThat(trial.run("publish", "notes", "--type", "").exitCode()).isEqualTo(2);
    assertThat(trial.run("publish", "notes", "--type", "t", "--as", "no body").exitCode())
        .isEqualTo(2);
    assertThat(trial.run("tail", "--from", "12").exitCode()).isEqualTo(2);
    assertThat(trial.run("tail", "-n", "-1").exitCode()).isEqualTo(2);
    assertThat(trial.run("topics", "--bus", "").exitCode()).isEqualTo(2);
    assertThat(trial.run("topics", "--bus", "a\0b").exitCode()).isEqualTo(2);
    assertThat(trial.run("help", "nothing").exitCode()).isEqualTo(2);
    assertThat(folder.resolve(".parley/notes.jsonl")).doesNotExist();
  }

  @Test
  void whatTheUserTypedReachesTheTerminalWithoutItsControlCharacters() {
    Answer answer = new Trial(folder).run("\033[31mred\u202e");

    assertThat(answer.err()).contains("\\u001b[31mred\\u202e").doesNotContain("\033", "\u202e");
  }

  @Test
  void anUnexpectedErrorIsOneLineUnlessTheStackTraceIsAskedFor() throws IOException {
    Files.createDirectory(folder.resolve(".parley"));
    OutputStream broken =
        new OutputStream() {
          @Override
          public void write(int b) {
            throw new IllegalStateException("a defect");
          }
        };
    ByteArrayOutputStream quiet = new ByteArrayOutputStream();
    ByteArrayOutputStream talkative = new ByteArrayOutputStream();

    int exitCode = new Trial(folder).run(broken, quiet, "help");
    new Trial(folder).with("PARLEY_DEBUG", "1").run(broken, talkative, "help");

    assertThat(exitCode).isEqualTo(1);
    assertThat(quiet.toString(UTF_8)).contains("a defect").doesNotContain("\tat ");
    assertThat(quiet.toString(UTF_8).lines()).hasSize(1);
    assertThat(talkative.toString(UTF_8)).contains("at dev.parley.cli.");
  }

  @Test
  void anOutputThatIsFullIsAnErrorAndOneThatNobodyReadsIsNot() {
    ByteArrayOutputStream err = new ByteArrayOutputStream();

    assertThat(new Trial(folder).run(failing("No space left on device"), err, "help")).isEqualTo(1);
    assertThat(err.toString(UTF_8)).contains("No space left on device");
    err.reset();
    assertThat(new Trial(folder).run(failing("Broken pipe"), err, "help")).isZero();
    assertThat(err.toString(UTF_8)).isEmpty();
  }

  private static OutputStream failing(String reason) {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        throw new IOException(reason);
      }
    };
  }

  @Test
  void aSubcommandThatIsTypedAloneIsFound() {
    assertThat(new Trial(folder).run("ack", "1").err())
        .contains("Unknown command \"ack\".", "Did you mean parley inbox ack?");
  }
}
