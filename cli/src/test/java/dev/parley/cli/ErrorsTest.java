package dev.parley.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.Trial.Answer;
import dev.parley.core.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
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
}
