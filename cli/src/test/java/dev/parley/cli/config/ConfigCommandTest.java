package dev.parley.cli.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.testing.Trial;
import dev.parley.cli.testing.Trial.Answer;
import dev.parley.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigCommandTest {
  @TempDir private Path folder;
  private Trial trial;

  @BeforeEach
  void makeABus() {
    trial =
        new Trial(folder)
            .with("PARLEY_STATE", folder.resolve("state").toString())
            .with("PARLEY_AGENT", "ann");
    assertThat(trial.run("init").exitCode()).isZero();
  }

  @Test
  void whatIsSetHoldsForEveryoneOnTheBus() {
    assertThat(trial.run("config", "get", "leases").out()).isEqualTo("leases = repository\n");

    assertThat(trial.run("config", "set", "leases", "tree").out()).isEqualTo("leases = tree\n");
    assertThat(trial.run("config", "set", "claims-outlast", "2h").exitCode()).isZero();
    assertThat(trial.run("config", "set", "stale-after", "90s").exitCode()).isZero();

    Answer answer = trial.run("config", "get", "claims-outlast", "--json");
    Map<String, Json> setting = Json.parse(answer.lines().getFirst()).fields();
    assertThat(setting)
        .containsEntry("value", Json.of("2h"))
        .containsEntry("default", Json.of("30m"))
        .containsEntry("from", Json.of("bus"));
    assertThat(trial.run("config", "get", "stale-after").out()).isEqualTo("stale-after = 90s\n");
  }

  @Test
  void theListNamesEverySettingAndVariableAndShowsNoSecret() {
    trial.with("PARLEY_DEBUG", "1");

    assertThat(trial.run("config").out())
        .contains("leases", "claims-outlast", "stale-after", "PARLEY_DEBUG", "PARLEY_BODY_BYTES");
    for (String line : trial.run("config", "--json").lines()) {
      assertThat(Json.parse(line).fields()).containsKeys("name", "value", "from", "meaning");
    }
  }

  /** Each setting takes a value that is not its usual one, and says so afterwards. */
  @Test
  void everySettingOfABusCanBeSetAndIsReadBack() {
    for (String line : trial.run("config", "--json").lines()) {
      Map<String, Json> row = Json.parse(line).fields();
      String name = row.get("name").text();
      if (row.get("place").text().equals("environment")) {
        Answer refused = trial.run("config", "set", name, "1");
        assertThat(refused.exitCode()).as(name).isEqualTo(2);
        assertThat(refused.err()).contains("export " + name + "=1");
        assertThat(trial.run("config", "get", name).exitCode()).isZero();
        continue;
      }
      String usual = row.get("default").text();
      String value =
          switch (usual) {
            case "repository" -> "tree";
            case "os" -> "disk";
            case "false" -> "true";
            default ->
                usual.replaceFirst("^\\d+", "" + (Long.parseLong(usual.replaceAll("\\D", "")) + 1));
          };
      assertThat(row).as(name).containsEntry("from", Json.of("default"));

      Answer set = trial.run("config", "set", name, value);

      assertThat(set.out()).as(set.err()).isEqualTo(name + " = " + value + "\n");
      assertThat(trial.run("config", "get", name, "--json").json())
          .containsEntry("value", Json.of(value))
          .containsEntry("from", Json.of("bus"));
    }
    assertThat(trial.run("doctor").exitCode()).isZero();
  }

  @Test
  void aLimitOfTheLedgerHoldsFromItsLineOn() {
    trial.run("config", "set", "max-tasks", "1");
    assertThat(trial.run("task", "add", "1").exitCode()).isZero();
    assertThat(trial.run("task", "add", "2").err()).contains("1");
    trial.run("config", "set", "max-leases", "7");
    assertThat(trial.run("config", "get", "max-tasks").out()).isEqualTo("max-tasks = 1\n");
  }

  @Test
  void howMuchOfABodyIsShownIsSetForABusOrAProcess() {
    trial.run("config", "set", "body-bytes", "64");
    trial.run("send", "ann", "--anyway", "-m", "x".repeat(100));
    assertThat(trial.run("inbox", "read", "--json").json()).containsEntry("parts", Json.of(2));
    trial.with("PARLEY_BODY_BYTES", "4096");
    String id = trial.run("inbox", "--json").json().get("id").text();
    assertThat(trial.run("inbox", "read", id, "--json").json()).doesNotContainKey("parts");
  }

  @Test
  void whatStoredMessagesMayNeedIsOnlyRaised() {
    assertThat(trial.run("config", "set", "max-line", "2048").err()).contains("only raise it");
    assertThat(trial.run("config", "set", "max-line", "99999999999").exitCode()).isEqualTo(2);
    assertThat(trial.run("config", "set", "max-depth", "100000").exitCode()).isEqualTo(2);
    assertThat(trial.run("config", "get", "max-depth").out()).isEqualTo("max-depth = 64\n");
  }

  /** A variable that code looks at is listed, or is one that Parley sets for what it starts. */
  @Test
  void everyVariableThatTheCodeKnowsIsListed() throws IOException {
    Set<String> own =
        Set.of(
            "PARLEY_GATE",
            "PARLEY_ASK",
            "PARLEY_MAIL",
            "PARLEY_RUN_AS",
            "PARLEY_STAGE",
            "PARLEY_WAVE",
            "PARLEY_SLOT",
            "CODEX_API_KEY",
            "CODEX_THREAD_ID");
    Pattern literal =
        Pattern.compile(
            "\"((?:PARLEY|BUS|CONSENSUS|PARALLEL|RALPH|JRUN|XDG|CODEX)"
                + "_(?:[A-Z0-9_]*[A-Z0-9])|RUNS_DIR|RUN_ID|TASK_ID|MESSAGE_BUS|NO_COLOR)\"");
    Set<String> found = new TreeSet<>();
    Path root = Path.of(System.getProperty("parley.root"));
    Pattern inScripts = Pattern.compile("\\bPARLEY_[A-Z_]+");
    for (String script : List.of("parley", "tools/find-jdk.sh")) {
      String text = Files.readString(root.resolve(script));
      inScripts.matcher(text).results().forEach(it -> found.add(it.group()));
    }
    for (String module :
        List.of(
            "core",
            "file-log",
            "coordination",
            "library",
            "dialects",
            "orchestration",
            "mcp",
            "cli")) {
      try (Stream<Path> files = Files.walk(root.resolve(module).resolve("src/main"))) {
        for (Path file : files.filter(it -> it.toString().endsWith(".java")).toList()) {
          literal.matcher(Files.readString(file)).results().forEach(it -> found.add(it.group(1)));
        }
      }
    }
    found.removeAll(own);
    String list = trial.run("config").out();
    assertThat(found).hasSizeGreaterThan(20).allSatisfy(name -> assertThat(list).contains(name));
  }

  /** What bus.json may say is a setting, but for what says which bus it is. */
  @Test
  void everyFieldOfTheBusFileIsASetting() throws IOException {
    Path root = Path.of(System.getProperty("parley.root"));
    String reader =
        Files.readString(
            root.resolve("file-log/src/main/java/dev/parley/filelog/BusSettings.java"));
    Set<String> fields = new TreeSet<>();
    Pattern.compile("(?:number|text)\\(fields, \"(\\w+)\"|fields\\.getOrDefault\\(\"(\\w+)\"")
        .matcher(reader)
        .results()
        .forEach(it -> fields.add(it.group(1) == null ? it.group(2) : it.group(1)));
    assertThat(fields).contains("maxLine", "durability", "networkFileSystem").hasSizeGreaterThan(8);
    fields.removeAll(Set.of("format", "id", "host"));
    String settings =
        Files.readString(root.resolve("cli/src/main/java/dev/parley/cli/config/FileSetting.java"));

    assertThat(fields).allSatisfy(field -> assertThat(settings).contains('"' + field + '"'));
  }

  @Test
  void whatCannotBeSetIsRefusedWithWhatCan() {
    assertThat(trial.run("config", "set", "leases", "all").err()).contains("repository or tree");
    Answer unknown = trial.run("config", "set", "lease", "red");
    assertThat(unknown.exitCode()).isEqualTo(3);
    assertThat(unknown.err()).contains("Did you mean leases?");
    assertThat(trial.run("config", "set", "stale-after", "soon").exitCode()).isEqualTo(2);
  }
}
