package dev.parley.orchestration.ask;

import dev.parley.coordination.Team;
import dev.parley.core.Log;
import dev.parley.core.store.Contents;
import dev.parley.orchestration.agent.Agents;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What runs need from around them.
 *
 * @param log the log of the bus
 * @param contents where prompts and answers are kept
 * @param bus the folder of the bus, for the programs that are started
 * @param runs the folder that has a folder for each run
 * @param journal the Markdown journal that is mounted on the bus; null if none is
 * @param environment what this process was given, and programs inherit
 * @param sender who says on the bus what happens in the run
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

  /** The same for somebody else who watches. */
  public RunContext with(RunListener other) {
    return new RunContext(
        log, contents, team, bus, runs, journal, agents, environment, sender, other);
  }
}
