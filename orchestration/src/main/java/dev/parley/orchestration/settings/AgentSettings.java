package dev.parley.orchestration.settings;

import dev.parley.core.AgentName;
import dev.parley.orchestration.agent.AgentDefinition;
import dev.parley.orchestration.agent.Agents;
import dev.parley.orchestration.agent.CallMethod;
import dev.parley.orchestration.agent.Presets;
import dev.parley.orchestration.ask.RunLimits;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads {@code [agents.<name>]}: a command, an API, or changes to a preset. */
final class AgentSettings {
  private static final int MOST_TOKENS = 1_000_000;

  private final SettingsTable section;
  private final String name;
  private final String source;
  private final @Nullable AgentDefinition preset;

  private AgentSettings(
      SettingsTable section, String name, String source, @Nullable AgentDefinition preset) {
    this.section = section;
    this.name = name;
    this.source = source;
    this.preset = preset;
  }

  static Agents read(SettingsTable agents, Map<String, String> environment) {
    Map<String, AgentDefinition> all = new LinkedHashMap<>();
    for (AgentDefinition preset : Presets.found(environment)) {
      all.put(preset.name(), preset);
    }
    for (String name : agents.keys()) {
      if (!AgentName.isValid(name)) {
        throw agents.wrong(
            name,
            "no agent can have this name.",
            "Use letters, digits, _ and -, such as worker-1.");
      }
      SettingsTable section = agents.section(name);
      AgentDefinition known =
          all.containsKey(name)
              ? all.get(name)
              : Presets.found(name, section.text("model"), environment);
      all.put(name, new AgentSettings(section, name, agents.source(name), known).read());
    }
    return Agents.of(all.values());
  }

  private AgentDefinition read() {
    List<String> command = section.texts("command");
    CallMethod.Provider api = section.choice("api", CallMethod.Provider.values());
    if (command != null && api != null) {
      throw section.wrong("api", "an agent has a command or an api, not both.", "Remove one.");
    }
    String model = section.text("model");
    CallMethod way =
        command != null ? command(command, model) : api != null ? api(api, model) : preset(model);
    List<String> keys = section.texts("key_env");
    Duration timeout = section.duration("timeout", RunLimits.MOST.ask());
    Map<String, String> environment = section.map("env");
    String role = section.text("role");
    section.end();
    AgentDefinition usual = command == null && api == null ? preset : null;
    return new AgentDefinition(
        name,
        way,
        keys != null ? keys : usual != null ? usual.keys() : usualKeys(way),
        timeout != null ? timeout : usual == null ? null : usual.timeout(),
        role != null ? role : "",
        environment,
        usual != null ? Presets.changedIn(source) : source);
  }

  private static List<String> usualKeys(CallMethod way) {
    return way instanceof CallMethod.Api api ? Presets.usualKeys(api.provider()) : List.of();
  }

  private CallMethod command(List<String> words, @Nullable String model) {
    List<String> filled = new ArrayList<>();
    boolean placed = false;
    for (String word : words) {
      placed |= word.contains("{model}");
      filled.add(model == null ? word : word.replace("{model}", model));
    }
    if (model != null && !placed) {
      throw section.wrong(
          "model",
          "the command has no place for it.",
          "Put {model} among the words of the command, or remove model.");
    }
    return new CallMethod.Command(
        filled,
        Objects.requireNonNullElse(
            section.choice("input", CallMethod.Input.values()), CallMethod.Input.STDIN),
        Objects.requireNonNullElse(
            section.choice("output", CallMethod.Output.values()), CallMethod.Output.TEXT));
  }

  private CallMethod api(CallMethod.Provider provider, @Nullable String model) {
    if (model == null) {
      throw section.wrong("api", "a model is missing.", "Add model = \"…\".");
    }
    Long tokens = section.whole("max_tokens", 1, MOST_TOKENS);
    return new CallMethod.Api(
        provider,
        model,
        base(provider),
        tokens == null ? Presets.usualTokens(provider) : tokens.intValue());
  }

  private URI base(CallMethod.Provider provider) {
    String base = section.text("base_url");
    if (base == null) {
      return Presets.base(provider);
    }
    URI uri = Presets.address(base);
    if (uri == null) {
      throw section.wrong(
          "base_url", "it is not an address.", "Write https://host, or http://localhost:<port>.");
    }
    return uri;
  }

  private CallMethod preset(@Nullable String model) {
    if (preset == null) {
      throw section.wrong(
          "command",
          "it is missing, and "
              + name.toLowerCase(Locale.ROOT)
              + " is not a preset that was found here.",
          "Add command = [\"program\", \"argument\"], or api and model.");
    }
    return switch (preset.way()) {
      case CallMethod.Command way -> model == null ? way : Presets.withModel(name, way, model);
      case CallMethod.Api way -> {
        Long tokens = section.whole("max_tokens", 1, MOST_TOKENS);
        String base = section.text("base_url");
        yield new CallMethod.Api(
            way.provider(),
            model == null ? way.model() : model,
            base == null ? way.base() : base(way.provider()),
            tokens == null ? way.maxTokens() : tokens.intValue());
      }
    };
  }
}
