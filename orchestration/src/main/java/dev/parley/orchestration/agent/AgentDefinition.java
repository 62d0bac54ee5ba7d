package dev.parley.orchestration.agent;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An agent that can be asked, and how.
 *
 * @param name a valid agent name on the bus
 * @param keys the environment variables with its API keys; other agents don't see them
 * @param timeout how long an answer may take; null for the default
 * @param role its strengths, for prompts; may be empty
 * @param environment what a program gets beside the variables of the run
 * @param source where it is defined, for people: {@code preset} or a file's path
 */
public record AgentDefinition(
    String name,
    CallMethod way,
    List<String> keys,
    @Nullable Duration timeout,
    String role,
    Map<String, String> environment,
    String source) {
  public AgentDefinition {
    keys = List.copyOf(keys);
    environment = Map.copyOf(environment);
  }

  /** A program with default settings. */
  public static AgentDefinition of(String name, CallMethod way) {
    return new AgentDefinition(name, way, List.of(), null, "", Map.of(), "given");
  }
}
