package dev.parley.orchestration.agent;

import dev.parley.core.AgentName;
import dev.parley.core.ParleyException;
import dev.parley.core.names.SpellingSuggestion;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The agents that can be asked. Immutable. */
public final class Agents {
  private final Map<String, AgentDefinition> byName = new LinkedHashMap<>();

  private Agents(Collection<AgentDefinition> definitions) {
    for (AgentDefinition definition : definitions) {
      byName.put(new AgentName(definition.name()).name(), definition);
    }
  }

  /** Exactly these agents; of two with the same name the later counts. */
  public static Agents of(Collection<AgentDefinition> definitions) {
    return new Agents(definitions);
  }

  public List<AgentDefinition> all() {
    return List.copyOf(byName.values());
  }

  public List<String> names() {
    return List.copyOf(byName.keySet());
  }

  /**
   * The agent with a name.
   *
   * @throws ParleyException REFUSED if there is none; the message has the nearest name
   */
  public AgentDefinition named(String name) {
    AgentDefinition definition = byName.get(name);
    if (definition == null) {
      String nearest = SpellingSuggestion.to(name, names());
      throw ParleyException.refused(
          "unknown-agent",
          "There is no agent \"" + name + "\" that could be asked.",
          (!Presets.need(name).isEmpty()
                  ? "It is a preset, which needs " + Presets.need(name) + ". "
                  : nearest != null ? "Did you mean " + nearest + "? " : "")
              + "parley agents lists them; parley.toml adds others.");
    }
    return definition;
  }

  /** The key variables that an agent must not see, because they belong to other agents. */
  public Set<String> keysOfOthers(AgentDefinition agent) {
    Set<String> keys = new LinkedHashSet<>(Presets.KEYS);
    byName.values().forEach(other -> keys.addAll(other.keys()));
    agent.keys().forEach(keys::remove);
    return keys;
  }
}
