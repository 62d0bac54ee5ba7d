package dev.parley.orchestration.ask.call;

import dev.parley.orchestration.agent.AgentDefinition;
import dev.parley.orchestration.ask.Answer;
import dev.parley.orchestration.ask.Ask;
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
 * @param transcript takes what was printed, as it was, without keys
 */
public record Call(
    AgentDefinition agent,
    Ask ask,
    Map<String, String> environment,
    Map<String, String> keys,
    Duration timeout,
    int maxOutput,
    Secrets secrets,
    BooleanSupplier stopped,
    Transcript transcript) {
  /** Takes what an agent has printed. */
  public interface Transcript {
    void printed(String out, String err);
  }

  Answer failed(String error) {
    return Answer.failed(agent.name(), secrets.removedFrom(error));
  }
}
