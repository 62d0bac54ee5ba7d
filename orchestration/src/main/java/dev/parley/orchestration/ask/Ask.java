package dev.parley.orchestration.ask;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * Something an agent is asked for.
 *
 * @param agent the name of the agent
 * @param stage what for: analysis, debate, synthesis, assess, discuss, vote, implement, spec, …;
 *     the agent finds it in {@code PARLEY_STAGE}
 * @param prompt the whole of what it is told
 * @param folder where a program works
 * @param environment variables for a program beside those of the run
 * @param timeout how long the answer may take; zero for what the agent or the run has
 * @param edits whether it is to change files in that folder; hosts have to be told that it may
 */
public record Ask(
    String agent,
    String stage,
    String prompt,
    Path folder,
    Map<String, String> environment,
    Duration timeout,
    boolean edits) {
  public Ask {
    environment = Map.copyOf(environment);
  }

  public Ask(
      String agent,
      String stage,
      String prompt,
      Path folder,
      Map<String, String> environment,
      Duration timeout) {
    this(agent, stage, prompt, folder, environment, timeout, false);
  }

  public static Ask of(String agent, String stage, String prompt, Path folder) {
    return new Ask(agent, stage, prompt, folder, Map.of(), Duration.ZERO);
  }
}
