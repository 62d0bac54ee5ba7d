package dev.parley.orchestration.ask;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * A question to an agent.
 *
 * @param agent the name of the agent
 * @param stage its purpose: analysis, debate, synthesis, assess, discuss, vote, implement, spec, …;
 *     the agent finds it in {@code PARLEY_STAGE}
 * @param prompt the whole prompt
 * @param folder where a program works
 * @param environment variables for a program beside those of the run
 * @param timeout how long the answer may take; zero for the default of the agent or the run
 * @param edits whether the agent is to change files in that folder; hosts need an option for that
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
