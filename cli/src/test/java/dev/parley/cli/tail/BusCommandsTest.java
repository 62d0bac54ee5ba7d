package dev.parley.cli.tail;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code parley}, {@code init}, {@code topics}, {@code doctor}. */
class BusCommandsTest {
  @TempDir private Path temporary;
  private Path folder;
  private Trial trial;

  @BeforeEach
  void resolveLinks() throws IOException {
    folder = temporary.toRealPath();
    trial = new Trial(folder);
  }

  private void append(String file, String text) throws IOException {
    Files.writeString(
        folder.resolve(".parley").resolve(file),
        text,
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  @Test
  void bareParleyShowsWhereYouAreAndTheLinesToType() {
    Answer before = trial.run();
    trial.run("init");
    trial.run("publish", "notes", "--type", "t", "--as", "alice");
    Answer after = trial.with("PARLEY_AGENT", "bob").run();

    assertThat(before.exitCode()).isZero();
    assertThat(before.out()).contains("parley init", "export PARLEY_AGENT=", "parley help");
    assertThat(after.out()).contains(folder + "/.parley (1 topic)", "bob");
    assertThat(trial.run("--json", "--as", "carol").json())
        .containsEntry("bus", Json.of(folder + "/.parley"))
        .containsEntry("topics", Json.of(1))
        .containsEntry("agent", Json.of("carol"));
    assertThat(trial.run("--bus", "nowhere").exitCode()).isEqualTo(3);
  }

  @Test
  void initSaysWhereTheBusIsAndThatItIsThereTheSecondTime() {
    assertThat(trial.run("init").out()).isEqualTo("Made the bus " + folder + "/.parley\n");
    assertThat(trial.run("init").out()).startsWith("The bus already exists: " + folder);
    assertThat(trial.run("init", "--json", "--bus", "other").json())
        .containsEntry("state", Json.of("created"))
        .containsEntry("bus", Json.of(folder + "/other"));
  }

  @Test
  void initTellsThatGitIgnoresTheBus() throws IOException {
    Files.createDirectories(folder.resolve(".git"));

    assertThat(trial.run("init").out()).contains("Git ignores it", ".git/info/exclude");
  }

  @Test
  void anEphemeralBusIsGoneWhenItsInputEnds() {
    Answer answer = trial.run("init", "--ephemeral", "--json");

    assertThat(answer.exitCode()).isZero();
    assertThat(answer.json()).containsEntry("ephemeral", Json.of(true));
    assertThat(Path.of(String.valueOf(answer.json().get("bus").text()))).doesNotExist();
  }

  @Test
  void topicsAreListedWithTheirEndAndLastChange() throws IOException {
    trial.run("init");
    append("notes.jsonl", "{\"type\":\"a\"}\n{\"torn");
    append("wave-1.x.jsonl", "{\"type\":\"a\"}\n");
    append("wave-10.jsonl", "{\"type\":\"a\"}\n");

    assertThat(trial.run("topics").lines())
        .hasSize(4)
        .element(1)
        .asString()
        .matches("notes +13 +\\d\\d:\\d\\d");
    Map<String, Json> only = trial.run("topics", "wave-1", "--json").json();
    assertThat(only)
        .containsEntry("topic", Json.of("wave-1.x"))
        .containsEntry("position", Json.of(13));
    assertThat(only.get("modified").text()).matches("\\d{4}-.*T.*Z");
  }

  @Test
  void doctorListsWhatIsWrongRepairsItAndChangesNoOffset() throws IOException {
    trial.run("init");
    trial.run("publish", "notes", "--type", "t", "--as", "alice");
    append("notes.jsonl", "garbage\n{\"torn");
    byte[] before = Files.readAllBytes(folder.resolve(".parley/notes.jsonl"));

    Answer ill = trial.run("doctor");
    Answer repaired = trial.run("doctor", "--repair");
    Answer well = trial.run("doctor", "--json");

    assertThat(ill.exitCode()).isEqualTo(1);
    assertThat(ill.out()).contains("not healthy: 2 problems", "--repair would: end it with a");
    assertThat(repaired.exitCode()).isZero();
    assertThat(well.exitCode()).isZero();
    assertThat(well.lines()).last().isEqualTo("{\"healthy\":true}");
    assertThat(well.lines())
        .filteredOn(line -> line.contains("\"code\":\"known\""))
        .hasSize(2)
        .allMatch(line -> line.contains("\"severity\":\"note\""));
    assertThat(Files.readString(folder.resolve(".parley/notes.jsonl")))
        .isEqualTo(new String(before, UTF_8) + "\n");
  }

  @Test
  void doctorSaysInWordsWhichLimitIsOutOfRange() throws IOException {
    trial.run("init");
    Path settings = folder.resolve(".parley/bus.json");
    Files.writeString(
        settings, Files.readString(settings).replaceFirst("\\{", "{\"rememberedWriters\":0,"));

    String found =
        "The limit rememberedWriters 0 is out of range. Restore it; or remove it and accept the"
            + " bus again: then the usual settings hold.";
    assertThat(trial.run("doctor").out()).contains(found);
    assertThat(trial.run("doctor", "--json").out()).contains("\"message\":\"" + found + "\"");
    assertThat(trial.run("topics").err())
        .contains("The limit rememberedWriters 0 is out of range.", "Use 1 to 1048576.");
  }

  @Test
  void doctorInJsonPrintsOneFindingALineAndTheVerdict() throws IOException {
    trial.run("init");
    append("notes.jsonl", "{\"type\":\"a\"}\ngarbage\n");

    Answer answer = trial.run("doctor", "--json");

    assertThat(answer.exitCode()).isEqualTo(1);
    assertThat(answer.lines()).last().isEqualTo("{\"healthy\":false}");
    Map<String, Json> finding =
        answer.lines().stream()
            .map(line -> Json.parse(line).fields())
            .filter(fields -> Json.of("damaged-line").equals(fields.get("code")))
            .findFirst()
            .orElseThrow();
    assertThat(finding)
        .containsEntry("severity", Json.of("problem"))
        .containsEntry("topic", Json.of("notes"))
        .containsEntry("offset", Json.of(13))
        .containsEntry("length", Json.of(7))
        .containsEntry("repaired", Json.of(false));
  }
}
