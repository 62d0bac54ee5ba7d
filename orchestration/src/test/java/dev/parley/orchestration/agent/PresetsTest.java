package dev.parley.orchestration.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.core.ParleyException;
import dev.parley.orchestration.settings.Settings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Agents that are found by themselves, and what the user's parley.toml makes of them. */
class PresetsTest {
  @TempDir private Path folder;
  private final Map<String, String> environment = new HashMap<>();

  @BeforeEach
  void anEmptyMachine() {
    environment.put("PATH", folder.toString());
    environment.put("HOME", folder.toString());
    environment.put("PARLEY_STATE", folder.resolve("state").toString());
  }

  private void program(String name) throws IOException {
    Files.createFile(
        folder.resolve(name),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  private Agents agents(String toml) throws IOException {
    Path file = folder.resolve(".config/parley/parley.toml");
    Files.createDirectories(folder.resolve(".config/parley"));
    Files.writeString(file, toml);
    return Settings.load(folder.resolve("elsewhere"), environment).agents();
  }

  private static List<String> words(AgentDefinition agent) {
    return ((CallMethod.Command) agent.way()).words();
  }

  @Test
  void aPresetWithAnotherModelMayEditLikeThePresetItself() throws IOException {
    program("codex");

    AgentDefinition codex = agents("[agents.codex]\nmodel = \"big\"\n").named("codex");

    assertThat(words(Presets.editing(codex)))
        .containsExactly(
            "codex",
            "exec",
            "--json",
            "--skip-git-repo-check",
            "--model",
            "big",
            "--sandbox",
            "workspace-write",
            "-");
    assertThat(codex.source()).startsWith("preset, changed in ").endsWith("parley.toml");
    AgentDefinition own = agents("[agents.codex]\ncommand = [\"codex\", \"x\"]\n").named("codex");
    assertThat(words(Presets.editing(own))).containsExactly("codex", "x");
  }

  @Test
  void ollamaIsFoundOnceItsModelIsNamed() throws IOException {
    program("ollama");

    assertThatThrownBy(() -> agents("").named("ollama"))
        .isInstanceOfSatisfying(
            ParleyException.class,
            e ->
                assertThat(e.next())
                    .contains("ollama on the PATH, and OLLAMA_MODEL or a model in parley.toml"));
    assertThat(words(agents("[agents.ollama]\nmodel = \"tiny\"\n").named("ollama")))
        .containsExactly("ollama", "run", "tiny");
    environment.put("OLLAMA_MODEL", "small");
    assertThat(words(agents("").named("ollama"))).containsExactly("ollama", "run", "small");
  }

  @Test
  void theVariablesOfTheDesignChangeTheApis() throws IOException {
    environment.put("OPENAI_API_KEY", "k");
    environment.put("OPENAI_MODEL", "gpt-x");
    environment.put("OPENAI_BASE_URL", "http://localhost:1");
    assertThat(agents("").named("codex").way())
        .isEqualTo(
            new CallMethod.Api(
                CallMethod.Provider.OPENAI, "gpt-x", URI.create("http://localhost:1"), 0));

    environment.put("OPENAI_MAX_TOKENS", "900");
    environment.put("GOOGLE_API_KEY", "k");
    environment.put("GEMINI_MAX_TOKENS", "many");
    assertThat(((CallMethod.Api) agents("").named("codex").way()).maxTokens()).isEqualTo(900);
    assertThat(((CallMethod.Api) agents("").named("gemini").way()).maxTokens()).isEqualTo(16_000);
  }
}
