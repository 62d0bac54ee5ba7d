package dev.parley.orchestration.ask.call;

import dev.parley.orchestration.agent.AgentDefinition;
import dev.parley.orchestration.ask.Answer;
import dev.parley.orchestration.ask.Ask;
import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * One ask, ready to be executed.
 *
 * @param environment the complete environment of a program
 * @param keys the values of the agent's own keys, by variable
 * @param maxOutput how many bytes of an answer are kept
 * @param stopped whether the run was told to stop
 * @param transcript receives the raw output, with keys removed
 */
public record PreparedAsk(
    AgentDefinition agent,
    Ask ask,
    Map<String, String> environment,
    Map<String, String> keys,
    Duration timeout,
    int maxOutput,
    Secrets secrets,
    BooleanSupplier stopped,
    Transcript transcript) {
  /** Receives an agent's output. */
  public interface Transcript {
    void printed(String out, String err);
  }

  Answer failed(String error) {
    return Answer.failed(agent.name(), secrets.removedFrom(error));
  }
}
