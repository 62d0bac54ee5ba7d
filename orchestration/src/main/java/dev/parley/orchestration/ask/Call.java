package dev.parley.orchestration.ask;

import dev.parley.orchestration.agent.AgentDefinition;
import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * One ask, ready to be carried out.
 *
 * @param environment everything a program gets
 * @param keys the values of the agent's own keys, by the names of their variables
 * @param maxOutput how many bytes of an answer are kept
 * @param stopped whether the run was told to stop
 */
record Call(
    AgentDefinition agent,
    Ask ask,
    Map<String, String> environment,
    Map<String, String> keys,
    Duration timeout,
    int maxOutput,
    Secrets secrets,
    BooleanSupplier stopped) {
  Answer failed(String error) {
    return Answer.failed(agent.name(), secrets.removedFrom(error));
  }
}
