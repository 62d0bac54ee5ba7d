package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Launched;
import dev.parley.cli.testing.Trial.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams that take or give nothing, and what others on the machine see of a command. */
class StreamsIT {
  @TempDir private Path temporary;
  private Path folder;

  @BeforeEach
  void makeABus() throws Exception {
    folder = temporary.toRealPath();
    Answer made = run("p init && p join");
    assertThat(made.exitCode()).as(made.err()).isZero();
  }

  private Answer run(String script) throws IOException, InterruptedException {
    Map<String, String> variables =
        Map.of("parley", Launched.parley().toString(), "PARLEY_AGENT", "ann");
    String p = "p() { \"$parley\" \"$@\"; }; ";
    try (Launched bash = Launched.start(folder, variables, List.of("bash", "-c", p + script))) {
      return bash.answer();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "who",
        "--json who",
        "tail ledger",
        "help",
        "send ann --body x",
        "lock a",
        "doctor"
      })
  void anAnswerThatCantBePrintedIsAFailureThatSaysSo(String command) throws Exception {
    for (String where : new String[] {">/dev/full", ">&-", ">&- <&-"}) {
      Answer answer = run("p " + command + " " + where);

      assertThat(answer.exitCode()).as(command + where).isEqualTo(1);
      assertThat(answer.err())
          .contains("The answer could not be printed", "do not repeat it")
          .doesNotContain("\tat ");
    }
  }

  @Test
  void withAllStreamsClosedNothingIsWrittenToAnotherFile() throws Exception {
    Answer answer = run("p send ann --body text <&- >&- 2>&-; echo $?; p send ann --body - <&-");

    assertThat(answer.lines().getFirst()).isEqualTo("1");
    // A stream that is closed holds nothing, and an empty message is refused.
    assertThat(answer.exitCode()).as(answer.err()).isEqualTo(2);
    List<String> mail = Files.readAllLines(folder.resolve(".parley/mail.ann.jsonl"));
    assertThat(mail).hasSize(1).allMatch(line -> line.startsWith("{\""));
    assertThat(run("p doctor").exitCode()).isZero();
  }

  /** What a command is started with, every user can read. */
  @Test
  void aBodyOnStdinIsInNoArgumentAndOneInAnArgumentIsNotPassedOn() throws Exception {
    Path trace = folder.resolve("trace");
    String strace = "strace -f -s 10000 -e trace=execve -o " + trace + " \"$parley\" ";

    Answer stdin = run("echo s3cret | " + strace + "send ann --body -");
    assertThat(stdin.exitCode()).as(stdin.err()).isZero();
    assertThat(Files.readString(trace)).contains("execve(").doesNotContain("s3cret");

    Answer argument = run(strace + "send ann --body s3cret");
    assertThat(argument.exitCode()).as(argument.err()).isZero();
    // The script, and the JVM that takes its place: it is the same process.
    List<String> started =
        Files.readAllLines(trace).stream().filter(line -> line.contains("s3cret")).toList();
    assertThat(started).hasSize(2);
    assertThat(process(started.getFirst())).isEqualTo(process(started.getLast()));
  }

  private static String process(String traced) {
    return traced.substring(0, traced.indexOf(' '));
  }
}
