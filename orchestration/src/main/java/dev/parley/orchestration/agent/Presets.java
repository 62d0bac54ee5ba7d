package dev.parley.orchestration.agent;

import dev.parley.core.ParleyException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Agents that need no configuration: found on the PATH, or by their API key.
 *
 * <pre>
 * claude    claude -p --output-format json          else ANTHROPIC_API_KEY
 * gemini    gemini --output-format json             else GEMINI_API_KEY, GOOGLE_API_KEY
 * codex     codex exec --json …                     else OPENAI_API_KEY
 * opencode  opencode run
 * ollama    ollama run &lt;model&gt;                      with OLLAMA_MODEL
 * </pre>
 *
 * All get the prompt on stdin, where no process list shows it.
 */
public final class Presets {
  private static final int MAX_TOKENS = 16_000;

  private static final Pattern LOOPBACK = Pattern.compile("127(\\.[0-9]{1,3}){3}");
  private static final List<String> ANTHROPIC = List.of("ANTHROPIC_API_KEY");
  private static final List<String> OPENAI = List.of("OPENAI_API_KEY");
  private static final List<String> GEMINI = List.of("GEMINI_API_KEY", "GOOGLE_API_KEY");

  /** Variables that usually hold an API key. */
  static final List<String> KEYS =
      List.of(
          "ANTHROPIC_API_KEY",
          "ANTHROPIC_AUTH_TOKEN",
          "CLAUDE_CODE_OAUTH_TOKEN",
          "OPENAI_API_KEY",
          "CODEX_API_KEY",
          "GEMINI_API_KEY",
          "GOOGLE_API_KEY",
          "OPENROUTER_API_KEY",
          "MISTRAL_API_KEY",
          "GROQ_API_KEY",
          "DEEPSEEK_API_KEY",
          "XAI_API_KEY");

  /** The {@code source} of presets. */
  private static final String SOURCE = "preset";

  private static final String OLLAMA = "ollama";

  private Presets() {}

  /** The names of all presets, found or not. */
  public static List<String> names() {
    return List.of("claude", "gemini", "codex", "opencode", OLLAMA);
  }

  /** The presets that can be asked here, in the order in which they speak. */
  public static List<AgentDefinition> found(Map<String, String> environment) {
    List<AgentDefinition> found = new ArrayList<>();
    for (String name : names()) {
      AgentDefinition preset =
          Programs.onPath(name, environment) != null
              ? program(name, environment)
              : api(name, environment);
      if (preset != null) {
        found.add(preset);
      }
    }
    return found;
  }

  private static @Nullable AgentDefinition program(String name, Map<String, String> environment) {
    return switch (name) {
      case "claude" ->
          program(
              name,
              CallMethod.Output.CLAUDE,
              List.of("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"),
              "claude",
              "-p",
              "--output-format",
              "json");
      case "gemini" ->
          program(name, CallMethod.Output.GEMINI, GEMINI, "gemini", "--output-format", "json");
      case "codex" ->
          program(
              name,
              CallMethod.Output.CODEX,
              List.of("OPENAI_API_KEY", "CODEX_API_KEY"),
              "codex",
              "exec",
              "--json",
              "--skip-git-repo-check",
              "-");
      case "opencode" ->
          definition(
              name,
              new CallMethod.Command(
                  List.of("opencode", "run"), CallMethod.Input.STDIN, CallMethod.Output.TEXT),
              List.of());
      default -> {
        String model = environment.getOrDefault("OLLAMA_MODEL", "");
        yield model.isEmpty()
            ? null
            : program(name, CallMethod.Output.TEXT, List.of(), "ollama", "run", model);
      }
    };
  }

  private static AgentDefinition program(
      String name, CallMethod.Output output, List<String> keys, String... words) {
    return definition(
        name, new CallMethod.Command(List.of(words), CallMethod.Input.STDIN, output), keys);
  }

  private static AgentDefinition definition(String name, CallMethod way, List<String> keys) {
    return new AgentDefinition(name, way, keys, null, "", Map.of(), SOURCE);
  }

  private static @Nullable AgentDefinition api(String name, Map<String, String> environment) {
    return switch (name) {
      case "claude" ->
          api(name, CallMethod.Provider.ANTHROPIC, "ANTHROPIC", "claude-sonnet-4-5", environment);
      case "gemini" ->
          api(name, CallMethod.Provider.GEMINI, "GEMINI", "gemini-2.5-pro", environment);
      case "codex" -> api(name, CallMethod.Provider.OPENAI, "OPENAI", "gpt-5", environment);
      default -> null;
    };
  }

  private static @Nullable AgentDefinition api(
      String name,
      CallMethod.Provider provider,
      String prefix,
      String model,
      Map<String, String> environment) {
    List<String> keys = usualKeys(provider);
    if (keys.stream().allMatch(key -> environment.getOrDefault(key, "").isEmpty())) {
      return null;
    }
    String chosen = environment.getOrDefault(prefix + "_MODEL", "");
    String address = environment.getOrDefault(prefix + "_BASE_URL", "");
    URI base = address.isEmpty() ? base(provider) : address(address);
    if (base == null) {
      throw ParleyException.invalid(
          "bad-address",
          prefix + "_BASE_URL is not an address of a model API.",
          "Write https://host, or http://localhost:<port>.");
    }
    CallMethod way =
        new CallMethod.Api(
            provider,
            chosen.isEmpty() ? model : chosen,
            base,
            tokens(environment.getOrDefault(prefix + "_MAX_TOKENS", ""), usualTokens(provider)));
    return definition(name, way, keys);
  }

  /** A value that is not a number is ignored, and the default counts. */
  private static int tokens(String text, int usual) {
    try {
      int tokens = Integer.parseInt(text);
      return tokens > 0 ? tokens : usual;
    } catch (NumberFormatException e) {
      return usual;
    }
  }

  /**
   * A provider's default limit of an answer, in tokens. OpenAI and compatible servers refuse a
   * limit above what their model can do, so they get one only if it is set.
   */
  public static int usualTokens(CallMethod.Provider provider) {
    return provider == CallMethod.Provider.OPENAI ? 0 : MAX_TOKENS;
  }

  /** The default variables for a provider's API key. */
  public static List<String> usualKeys(CallMethod.Provider provider) {
    return switch (provider) {
      case ANTHROPIC -> ANTHROPIC;
      case OPENAI -> OPENAI;
      case GEMINI -> GEMINI;
    };
  }

  /** A provider's default address. */
  public static URI base(CallMethod.Provider provider) {
    return switch (provider) {
      case ANTHROPIC -> URI.create("https://api.anthropic.com");
      case OPENAI -> URI.create("https://api.openai.com");
      case GEMINI -> URI.create("https://generativelanguage.googleapis.com");
    };
  }

  /** The address of an API; null if it is malformed, or would send a key unencrypted. */
  public static @Nullable URI address(String text) {
    try {
      URI uri = new URI(text);
      String host = Objects.requireNonNullElse(uri.getHost(), "");
      boolean local =
          host.equals("localhost") || LOOPBACK.matcher(host).matches() || host.equals("[::1]");
      boolean safe = "https".equals(uri.getScheme()) || ("http".equals(uri.getScheme()) && local);
      return safe && !host.isEmpty() && uri.getUserInfo() == null && uri.getQuery() == null
          ? uri
          : null;
    } catch (URISyntaxException e) {
      return null;
    }
  }

  /**
   * A preset that may change files in the folder it works in, and nothing more: without that, hosts
   * refuse to edit when nobody watches. An agent that the user has defined is asked as defined.
   */
  public static AgentDefinition editing(AgentDefinition agent) {
    List<String> more =
        switch (agent.name()) {
          case "claude" -> List.of("--permission-mode", "acceptEdits");
          case "gemini" -> List.of("--approval-mode", "auto_edit");
          case "codex" -> List.of("--sandbox", "workspace-write");
          default -> List.<String>of();
        };
    if (!agent.source().startsWith(SOURCE)
        || more.isEmpty()
        || !(agent.way() instanceof CallMethod.Command way)) {
      return agent;
    }
    return new AgentDefinition(
        agent.name(),
        withOptions(way, more),
        agent.keys(),
        agent.timeout(),
        agent.role(),
        agent.environment(),
        agent.source());
  }

  /** The {@code source} of a preset that a file changes without giving it another way. */
  public static String changedIn(String file) {
    return SOURCE + ", changed in " + file;
  }

  /** A preset that is found only once a file names a model for it; null if it is not found then. */
  public static @Nullable AgentDefinition found(
      String name, @Nullable String model, Map<String, String> environment) {
    boolean needsModel = name.equals(OLLAMA) && model != null;
    if (!needsModel || Programs.onPath(name, environment) == null) {
      return null;
    }
    Map<String, String> more = new HashMap<>(environment);
    more.put("OLLAMA_MODEL", model);
    return program(name, more);
  }

  /** What a preset needs to be found; empty if the name is none. */
  static String need(String name) {
    return switch (name) {
      case "claude" -> "claude on the PATH, or ANTHROPIC_API_KEY";
      case "gemini" -> "gemini on the PATH, or GEMINI_API_KEY or GOOGLE_API_KEY";
      case "codex" -> "codex on the PATH, or OPENAI_API_KEY";
      case "opencode" -> "opencode on the PATH";
      case OLLAMA -> "ollama on the PATH, and OLLAMA_MODEL or a model in parley.toml";
      default -> "";
    };
  }

  private static CallMethod.Command withOptions(CallMethod.Command way, List<String> more) {
    List<String> words = new ArrayList<>(way.words());
    boolean last = words.getLast().equals("-");
    words.addAll(last ? words.size() - 1 : words.size(), more);
    return new CallMethod.Command(words, way.input(), way.output());
  }

  /** A preset's command with this model. */
  public static CallMethod.Command withModel(String name, CallMethod.Command way, String model) {
    if (!name.equals(OLLAMA)) {
      return withOptions(way, List.of("--model", model));
    }
    List<String> words = new ArrayList<>(way.words());
    words.set(words.size() - 1, model);
    return new CallMethod.Command(words, way.input(), way.output());
  }
}
