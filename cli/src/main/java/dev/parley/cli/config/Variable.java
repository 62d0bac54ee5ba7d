package dev.parley.cli.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An environment variable that a user may set. What Parley itself sets for the programs it starts
 * is not here.
 *
 * @param secret whether its value is never shown
 */
record Variable(String name, String meaning, boolean secret) {
  private Variable(String name, String meaning) {
    this(name, meaning, false);
  }

  static final List<Variable> ALL =
      List.of(
          new Variable("PARLEY_AGENT", "your agent name"),
          new Variable("PARLEY_BUS", "the bus: a folder, or dialect:folder"),
          new Variable("PARLEY_SESSION", "the session that a command continues", true),
          new Variable("PARLEY_STATE", "the folder for trusted buses and sessions"),
          new Variable("PARLEY_TRUST", "buses accepted without being registered"),
          new Variable("PARLEY_TASK", "the task that progress and commits belong to"),
          new Variable("PARLEY_TOKEN", "the lease token that the git guard checks"),
          new Variable("PARLEY_RUN", "the run that messages belong to"),
          new Variable("PARLEY_BULLETIN", "the wave that bulletin commands mean"),
          new Variable("PARLEY_BODY_BYTES", "bytes of a body shown at once (body-bytes)"),
          new Variable("PARLEY_MAX_FINDINGS", "findings of one kind that are listed"),
          new Variable("PARLEY_DURABILITY", "os or disk (the bus setting durability)"),
          new Variable("PARLEY_NETWORK_FS", "allow: use a bus on a network file system"),
          new Variable("PARLEY_OPEN_TOPICS", "topics kept open for appending"),
          new Variable("PARLEY_READ_TOPICS", "topics kept open for reading"),
          new Variable("PARLEY_MAX_PENDING", "messages that may wait to be stored"),
          new Variable("PARLEY_PORT_BASE", "waves: the first port for tasks (20000)"),
          new Variable("PARLEY_DEBUG", "1: print a stack trace with each error"),
          new Variable("PARLEY_JAVA_HOME", "the JDK to run on"),
          new Variable("PARLEY_JDK_DIRS", "where to look for a JDK"),
          new Variable("PARLEY_JAVA_OPTS", "options for the JVM"),
          new Variable("NO_COLOR", "print no colours"),
          new Variable("XDG_STATE_HOME", "where PARLEY_STATE is by default (~/.local/state)"),
          new Variable("XDG_CONFIG_HOME", "where parley/parley.toml of the user is (~/.config)"),
          new Variable("CODEX_HOME", "setup: the folder of Codex (~/.codex)"),
          new Variable("MESSAGE_BUS", "journal: the file (MESSAGE-BUS.md here or above)"),
          new Variable("JRUN_MESSAGE_BUS", "journal: the file, if MESSAGE_BUS is not set"),
          new Variable("TASK_ID", "journal: the task of what runs post"),
          new Variable("BUS_DIR", "Conclave: its bus folder"),
          new Variable("BUS_POLL_INTERVAL", "Conclave: shortest polling interval (100ms)"),
          new Variable("BUS_POLL_MAX_INTERVAL", "Conclave: longest polling interval (1s)"),
          new Variable("BUS_MAX_BOARD_INJECT", "bulletin messages given to a worker (20)"),
          new Variable("RUNS_DIR", "the folder for agent runs"),
          new Variable("RUN_ID", "journal: the run that posts belong to"),
          new Variable("CONSENSUS_STAGE1_TIMEOUT", "consensus: time for an analysis (60s)"),
          new Variable("CONSENSUS_STAGE2_TIMEOUT", "consensus: time for the synthesis (60s)"),
          new Variable("CONSENSUS_DEBATE_ROUNDS", "consensus: rounds of debate, 1 or 2 (1)"),
          new Variable("CONSENSUS_DEBATE_TIMEOUT", "consensus: time for a rebuttal (60s)"),
          new Variable("RALPH_TIMEOUT_IMPLEMENT", "loop: time for an agent's turn (5m)"),
          new Variable("RALPH_TIMEOUT_TEST", "loop: time for tests and other gates (2m)"),
          new Variable("RALPH_TIMEOUT_SPEC", "loop: time for the reviewer (2m)"),
          new Variable("RALPH_TIMEOUT_GLOBAL", "loop: time for one task (1h)"),
          new Variable("RALPH_STUCK_THRESHOLD", "loop: failures before another way (3)"),
          new Variable("PARALLEL_MAX_CONCURRENT", "waves: tasks at a time (3)"),
          new Variable("PARALLEL_WORKTREE_DIR", "waves: the folder for worktrees (.worktrees)"),
          new Variable("PARALLEL_MAX_CONFLICT_RERUNS", "waves: reruns after a conflict (2)"));

  /** The variable of this name; null if there is none. */
  static @Nullable Variable named(String name) {
    for (Variable variable : ALL) {
      if (variable.name.equalsIgnoreCase(name)) {
        return variable;
      }
    }
    return null;
  }
}
