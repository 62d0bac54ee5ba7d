package dev.parley.session;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The session that an agent's host runs a command for, as the host itself tells it.
 *
 * @param variable where the host puts it
 * @param id what it calls it
 */
record HostSession(String variable, String id) {
  private static final String CODEX = "CODEX_THREAD_ID";

  /** The variables that hosts put it in; which do was seen by running them. */
  private static final String[] VARIABLES = {"CLAUDE_CODE_SESSION_ID", CODEX, "GEMINI_SESSION_ID"};

  private static final int LONGEST = 200;

  /** The one in an environment; null if no host says any. */
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
   * Whether two sessions of a host that share a process are different agents: Codex serves all its
   * windows with one process. Claude Code changes the id of an agent that begins a new talk.
   */
  boolean differsWithinAProcess(@Nullable HostSession other) {
    return variable.equals(CODEX) && other != null && !equals(other);
  }
}
