package dev.parley.orchestration.ask;

import dev.parley.coordination.Team;
import dev.parley.core.Log;
import dev.parley.core.store.Contents;
import dev.parley.orchestration.agent.Agents;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What runs need from outside.
 *
 * @param log the log of the bus
 * @param contents where prompts and answers are kept
 * @param bus the folder of the bus, for the programs that are started
 * @param runs the folder that has a folder for each run
 * @param journal the Markdown journal mounted on the bus; null if there is none
 * @param environment this process's environment, which programs inherit
 * @param sender the sender of the run's messages on the bus
 */
public record RunContext(
    Log log,
    Contents contents,
    Team team,
    Path bus,
    Path runs,
    @Nullable Path journal,
    Agents agents,
    Map<String, String> environment,
    String sender,
    RunListener listener) {
  public RunContext {
    environment = Map.copyOf(environment);
  }

  /** The same context with another listener. */
  public RunContext with(RunListener other) {
    return new RunContext(
        log, contents, team, bus, runs, journal, agents, environment, sender, other);
  }
}
