package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.Trial.Answer;
import dev.parley.core.json.Json;
import java.nio.file.Path;
import java.util.Map;
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

  @Test
  void whatCannotBeSetIsRefusedWithWhatCan() {
    assertThat(trial.run("config", "set", "leases", "all").err()).contains("repository or tree");
    assertThat(trial.run("config", "set", "colour", "red").err())
        .contains("leases, claims-outlast");
    assertThat(trial.run("config", "set", "stale-after", "soon").exitCode()).isEqualTo(2);
  }
}
