package dev.parley.session;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The session of an agent's host in which a command runs.
 *
 * @param variable the environment variable that holds it
 * @param id the host's id of the session
 */
record HostSession(String variable, String id) {
  private static final String CODEX = "CODEX_THREAD_ID";

  /** The variables that hosts set, as seen by running them. */
  private static final String[] VARIABLES = {"CLAUDE_CODE_SESSION_ID", CODEX, "GEMINI_SESSION_ID"};

  private static final int LONGEST = 200;

  /** The host session in an environment; null if no host has set one. */
  static @Nullable HostSession in(Map<String, String> environment) {
    for (String variable : VARIABLES) {
      String id = environment.get(variable);
      if (id != null && !id.isEmpty() && id.length() <= LONGEST) {
        return new HostSession(variable, id);
      }
    }
    return null;
  }

  /**
   * Whether two host sessions in one process are different agents. In Codex they are: one process
   * serves all its windows. In Claude Code they are not: an agent that begins a new conversation
   * gets a new id.
   */
  boolean differsWithinAProcess(@Nullable HostSession other) {
    return variable.equals(CODEX) && other != null && !equals(other);
  }
}
