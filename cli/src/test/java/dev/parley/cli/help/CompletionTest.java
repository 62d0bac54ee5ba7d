package dev.parley.cli.help;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.CommandRegistry;
import dev.parley.cli.args.Description;
import dev.parley.cli.args.Option;
import dev.parley.cli.testing.Trial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

  /**
   * What bash offers when the tab key is pressed after some words. What it asks the program is kept
   * in a file, answered here, and given to a second bash, whose program answers the same.
   */
  private String offered(String words) throws IOException, InterruptedException {
    Path asked = folder.resolve("asked");
    String press =
        "COMP_WORDS=("
            + words
            + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _parley; echo \"${COMPREPLY[*]}\"";
    bash("parley() { printf '%s\\n' \"$@\" >'" + asked + "'; }; " + script("bash") + press);
    String[] question = Files.readString(asked).replaceFirst("\n$", "").split("\n", -1);
    Path answer = Files.writeString(folder.resolve("answer"), trial().run(question).out());
    return bash("parley() { cat '" + answer + "'; }; " + script("bash") + press);
  }

  private Trial trial() {
    return new Trial(folder).with("PARLEY_AGENT", "alice");
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
    "parley --color=al, --color=always",
    "parley --color = always tai, tail",
    "parley --as=x completion z, zsh",
    "parley help pub, publish",
    "parley task cl, claim",
    "parley task --state rea, ready",
    "parley task add --ti, --title",
    "parley task claim --title x, ''",
    "parley help task cl, claim",
    "parley board vote board-1 --verdict ABS, ABSTAIN",
    "parley mount sw, swarm"
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

  @Test
  void theAgentsTasksBoardsMessagesAndTopicsOfTheBusAreOffered() throws Exception {
    Trial trial = trial();
    trial.run("init");
    trial.run("join");
    trial.run("task", "add", "1.1", "--title", "Parser");
    trial.run("board", "open", "EVALUATE_PLAN", "--electorate", "alice");
    trial.run("publish", "notes.build", "--type", "note");
    String id = trial.run("send", "alice", "-m", "hello", "--json").json().get("id").text();

    assertThat(offered("parley send al")).isEqualTo("alice");
    assertThat(offered("parley task claim 1")).isEqualTo("1.1");
    assertThat(offered("parley board show b")).isEqualTo("board-1");
    assertThat(offered("parley tail no")).isEqualTo("notes.build");
    assertThat(offered("parley reply " + id.substring(0, 4))).isEqualTo(id);
    assertThat(offered("parley send human,al")).isEqualTo("human,alice");
    assertThat(offered("parley task block 1.1 --on 1")).isEqualTo("1.1");
    assertThat(offered("parley wait ta")).isEqualTo("task:");
    assertThat(offered("parley wait task : 1")).isEqualTo("1.1");
    assertThat(offered("parley wait task :")).isEqualTo("1.1");
    assertThat(offered("parley wait reply : " + id.substring(0, 4))).isEqualTo(id);
    assertThat(offers("wait", "board:b")).containsExactly("board:board-1"); // as zsh asks
  }

  @Test
  void settingsMountsAndWavesAreOffered() throws Exception {
    Trial trial = trial();
    trial.run("init");
    trial.run("init", "--dialect", "swarm");
    trial.run("mount", "swarm", ".swarm");
    trial.run("bulletin", "post", "--wave", "w1", "--kind", "intent", "-m", "x");

    assertThat(offered("parley config get claims")).isEqualTo("claims-outlast");
    assertThat(offered("parley config get PARLEY_DEB")).isEqualTo("PARLEY_DEBUG");
    assertThat(offered("parley mount show sw")).isEqualTo("swarm");
    assertThat(offered("parley bulletin read --wave w")).isEqualTo("w1");
  }

  @Test
  void bashOffersFilesWherePathsAreWanted() throws Exception {
    Files.createFile(folder.resolve("source.java"));

    assertThat(offered("parley lock so")).isEqualTo("source.java");
  }

  @Test
  void whereThereIsNoBusNothingIsOfferedAndNothingSaid() {
    Trial.Answer answer = new Trial(folder).run("complete", "--", "send", "");

    assertThat(answer.exitCode()).isZero();
    assertThat(answer.out() + answer.err()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh", "fish"})
  void everyScriptAsksTheProgramWhatCanComeNext(String shell) {
    assertThat(script(shell)).contains(" complete -- ", ":files", ":folders");
  }

  @Test
  void everyCommandSubcommandAndOptionIsOffered() {
    CommandRegistry catalogue = new CommandRegistry();
    assertThat(offers("")).containsExactlyElementsOf(catalogue.names());
    for (String name : catalogue.names()) {
      Description command = Objects.requireNonNull(catalogue.describe(name));
      List<Description> forms = new ArrayList<>(command.subcommands());
      if (forms.isEmpty()) {
        forms.add(command);
      } else {
        assertThat(offers(name, "")).containsAll(forms.stream().map(Description::word).toList());
      }
      for (Description form : forms) {
        List<String> words = new ArrayList<>(List.of(form.name().split(" ")));
        words.add("--");
        assertThat(offers(words.toArray(String[]::new)))
            .containsAll(form.options().stream().map(Option::name).toList());
      }
    }
  }

  private List<String> offers(String... words) {
    List<String> args = new ArrayList<>(List.of("complete", "--"));
    args.addAll(List.of(words));
    return trial().run(args.toArray(String[]::new)).lines().stream()
        .map(line -> line.split("\t", 2)[0])
        .toList();
  }
}
