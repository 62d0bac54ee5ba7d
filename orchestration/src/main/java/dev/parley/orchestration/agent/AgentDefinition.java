package dev.parley.orchestration.agent;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An agent that can be asked: a name and a way.
 *
 * @param name a valid name of an agent on the bus
 * @param keys the names of the environment variables with its keys; other agents don't see them
 * @param timeout how long an answer may take; null for the usual time
 * @param role what it is good at, for prompts; may be empty
 * @param environment what a program gets beside the variables of the run
 * @param source where this was said, for people: {@code preset} or the path of a file
 */
public record AgentDefinition(
    String name,
    Way way,
    List<String> keys,
    @Nullable Duration timeout,
    String role,
    Map<String, String> environment,
    String source) {
  public AgentDefinition {
    keys = List.copyOf(keys);
    environment = Map.copyOf(environment);
  }

  /** A program with nothing special about it. */
  public static AgentDefinition of(String name, Way way) {
    return new AgentDefinition(name, way, List.of(), null, "", Map.of(), "given");
  }
}
