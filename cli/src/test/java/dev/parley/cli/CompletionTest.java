package dev.parley.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.args.Description;
import dev.parley.cli.args.Option;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompletionTest {
  @TempDir private Path folder;

  private String script(String shell) {
    return new Trial(folder).run("completion", shell).out();
  }

  private String bash(String script) throws IOException, InterruptedException {
    Process bash =
        new ProcessBuilder("bash", "--norc", "-c", script)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(bash.getInputStream().readAllBytes(), UTF_8);
    assertThat(bash.waitFor()).as(output).isZero();
    return output.strip();
  }

  /** What bash offers when the tab key is pressed after some words. */
  private String offered(String words) throws IOException, InterruptedException {
    return bash(
        script("bash")
            + "COMP_WORDS=("
            + words
            + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _parley; echo \"${COMPREPLY[*]}\"");
  }

  @Test
  void bashAcceptsTheScript() throws Exception {
    Path file = Files.writeString(folder.resolve("completion"), script("bash"));

    assertThat(bash("bash -n " + file)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "parley pu, publish",
    "parley --as alice publish notes --need, --needs-reply",
    "parley tail --fo, --follow",
    "parley --color al, always",
    "parley --color = al, always",
    "parley --color = always tai, tail",
    "parley --as=x completion z, zsh",
    "parley help pub, publish"
  })
  void bashReallyCompletes(String words, String expected) throws Exception {
    assertThat(offered(words)).isEqualTo(expected);
  }

  @Test
  void bashOffersFoldersWhereOneIsWanted() throws Exception {
    Files.createDirectory(folder.resolve("a folder"));
    Files.createFile(folder.resolve("a file"));

    assertThat(offered("parley --bus a")).isEqualTo("a folder");
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh", "fish"})
  void everyCommandAndOptionIsInTheScript(String shell) {
    Catalogue catalogue = new Catalogue();
    String script = script(shell);

    for (String name : catalogue.names()) {
      Description command = Objects.requireNonNull(catalogue.describe(name));
      assertThat(script).contains(command.name());
      for (Option option : command.options()) {
        assertThat(script).contains(option.name().substring(2));
      }
    }
    assertThat(script).doesNotContain("demo-agent");
  }
}
