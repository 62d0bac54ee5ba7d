package dev.parley.core.hosts;

import dev.parley.core.NodePackages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The real command lines of Claude Code, Codex and Gemini CLI, with a {@link ModelStandIn} in place
 * of their models: no account, no network. They are found on the PATH of {@link #environment} as
 * {@code claude}, {@code codex} and {@code gemini}, and have a home folder of their own, in which
 * everything that they would ask a person is configured.
 *
 * <p>If the packages can't be fetched, the test is skipped with a message.
 */
public final class RealHosts implements AutoCloseable {
  /** The API key of all three. */
  public static final String KEY = "not-a-key-of-anybody";

  private static final int KEY_TAIL = 20;

  private final Path home;
  private final ModelStandIn model;
  private final Map<String, String> environment = new TreeMap<>();

  private RealHosts(Path home, ModelStandIn model) {
    this.home = home;
    this.model = model;
  }

  /**
   * Installs and configures them.
   *
   * @param home a folder that is created for them
   * @param project where they will work
   */
  public static RealHosts start(Path home, Path project, ModelStandIn.Script script)
      throws IOException, InterruptedException {
    NodePackages claude =
        NodePackages.of("claude-code", "@anthropic-ai/claude-code-linux-x64@2.1.327");
    NodePackages codex = NodePackages.of("codex", "@openai/codex@0.169.0");
    NodePackages gemini = NodePackages.of("gemini-cli", "@google/gemini-cli@0.61.0");
    Files.createDirectories(home.resolve("bin"));
    RealHosts hosts = new RealHosts(home, new ModelStandIn(script));
    hosts.program("claude", quoted(claude.file("@anthropic-ai/claude-code-linux-x64/claude")));
    hosts.program(
        "codex",
        quoted(codex.file("@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex")));
    hosts.program(
        "gemini", quoted(gemini.command("@google/gemini-cli/bundle/gemini.js").toArray()));
    hosts.settle(project.toRealPath().toString());
    return hosts;
  }

  private static String quoted(Object... words) {
    return Stream.of(words).map(word -> "\"" + word + "\"").collect(Collectors.joining(" "));
  }

  private void program(String name, String command) throws IOException {
    Path script = home.resolve("bin").resolve(name);
    Files.writeString(script, "#!/bin/sh\nexec " + command + " \"$@\"\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private void settle(String project) throws IOException {
    String address = model.address();
    write(
        ".claude.json",
        """
        {"hasCompletedOnboarding":true,"theme":"dark",
         "customApiKeyResponses":{"approved":["%s"],"rejected":[]},
         "projects":{"%s":{"hasTrustDialogAccepted":true,"hasCompletedProjectOnboarding":true}}}
        """
            .formatted(KEY.substring(KEY.length() - KEY_TAIL), project));
    write(
        ".codex/config.toml",
        """
        model = "gpt-5.5-codex"
        model_provider = "standin"
        [model_providers.standin]
        name = "standin"
        base_url = "%s/v1"
        wire_api = "responses"
        env_key = "OPENAI_API_KEY"
        [projects."%s"]
        trust_level = "trusted"
        """
            .formatted(address, project));
    write(
        ".gemini/settings.json",
        """
        {"security":{"auth":{"selectedType":"gemini-api-key"}},
         "general":{"disableAutoUpdate":true,"disableUpdateNag":true},
         "privacy":{"usageStatisticsEnabled":false},"telemetry":{"enabled":false}}
        """);
    write(".gemini/trustedFolders.json", "{\"%s\":\"TRUST_FOLDER\"}\n".formatted(project));
    environment.put("PATH", home.resolve("bin") + ":/usr/local/bin:/usr/bin:/bin");
    environment.put("HOME", home.toString());
    environment.put("ANTHROPIC_BASE_URL", address);
    environment.put("ANTHROPIC_API_KEY", KEY);
    environment.put("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1");
    environment.put("OPENAI_API_KEY", KEY);
    environment.put("OPENAI_BASE_URL", address);
    environment.put("GOOGLE_GEMINI_BASE_URL", address);
    environment.put("GEMINI_API_KEY", KEY);
    environment.put("GEMINI_MODEL", "gemini-3.5-flash");
  }

  private void write(String file, String text) throws IOException {
    Path path = home.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  /** Makes OpenCode ready too, as {@code opencode}; it speaks to the stand-in as to Anthropic. */
  public RealHosts withOpenCode() throws IOException, InterruptedException {
    NodePackages openCode = NodePackages.of("opencode", "opencode-ai@1.18.33");
    program("opencode", quoted(openCode.file("opencode-linux-x64/bin/opencode")));
    write(
        ".config/opencode/opencode.json",
        """
        {"model":"anthropic/claude-sonnet-4-5","small_model":"anthropic/claude-sonnet-4-5",
         "permission":"allow","autoupdate":false,"share":"disabled",
         "provider":{"anthropic":{"options":{"baseURL":"%s/v1","apiKey":"%s"},
           "models":{"claude-sonnet-4-5":{}}}}}
        """
            .formatted(model.address(), KEY));
    environment.put("XDG_CONFIG_HOME", home.resolve(".config").toString());
    environment.put("XDG_DATA_HOME", home.resolve(".local/share").toString());
    environment.put("XDG_CACHE_HOME", home.resolve(".cache").toString());
    environment.put("XDG_STATE_HOME", home.resolve(".local/xdg-state").toString());
    environment.put("OPENCODE_DISABLE_MODELS_FETCH", "true");
    environment.put("OPENCODE_DISABLE_LSP_DOWNLOAD", "true");
    return this;
  }

  /** The environment with which a process finds and uses them. */
  public Map<String, String> environment() {
    return Map.copyOf(environment);
  }

  /** The server that replaces their models. */
  public ModelStandIn model() {
    return model;
  }

  @Override
  public void close() {
    model.close();
  }
}
