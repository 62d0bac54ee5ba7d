package dev.parley.orchestration.ask;

import dev.parley.coordination.ledger.Session;
import dev.parley.orchestration.agent.AgentDefinition;
import dev.parley.orchestration.ask.call.Secrets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** What programs of a run find in their environment: its variables, and of the keys only theirs. */
final class RunEnvironment {
  /** The variable that names the run of a process. */
  static final String RUN = "PARLEY_RUN";

  private final RunContext context;
  private final String run;

  RunEnvironment(RunContext context, String run) {
    this.context = context;
    this.run = run;
  }

  /** The variables that every program of the run gets. */
  Map<String, String> variables() {
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put(RUN, run);
    variables.put("PARLEY_BUS", context.bus().toString());
    variables.put("RUN_ID", run);
    variables.put("RUNS_DIR", context.runs().toString());
    if (context.journal() != null) {
      variables.put("MESSAGE_BUS", context.journal().toString());
    }
    variables.put("CONCLAVE_NON_INTERACTIVE", "1");
    return variables;
  }

  /** The whole environment of a program that answers an ask. */
  Map<String, String> of(AgentDefinition agent, Ask ask, Session session) {
    Map<String, String> environment = new LinkedHashMap<>(context.environment());
    environment.keySet().removeAll(context.agents().keysOfOthers(agent));
    // Hosts refuse to start inside each other.
    environment.remove("CLAUDECODE");
    environment.putAll(variables());
    environment.put("PARLEY_AGENT", agent.name());
    environment.put("PARLEY_SESSION", session.token());
    environment.put("PARLEY_STAGE", ask.stage());
    environment.putAll(agent.environment());
    environment.putAll(ask.environment());
    return environment;
  }

  /**
   * The agent's own keys that are set, by variable. One that was read from a file may end with a
   * line break.
   */
  Map<String, String> keys(AgentDefinition agent) {
    Map<String, String> keys = new LinkedHashMap<>();
    for (String key : agent.keys()) {
      String value = context.environment().getOrDefault(key, "").strip();
      if (!value.isEmpty()) {
        keys.put(key, value);
      }
    }
    return keys;
  }

  /** All keys and the session's token: what no answer may show. */
  Secrets secrets(AgentDefinition agent, Session session) {
    Set<String> secrets = new HashSet<>(keys(agent).values());
    for (String key : context.agents().keysOfOthers(agent)) {
      secrets.add(context.environment().getOrDefault(key, "").strip());
    }
    secrets.add(session.token());
    return new Secrets(secrets);
  }
}
