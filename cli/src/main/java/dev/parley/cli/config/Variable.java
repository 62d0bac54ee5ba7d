package dev.parley.cli.config;

import java.util.List;

/**
 * A variable of the environment that a user may set.
 *
 * @param secret whether its value is never shown
 */
record Variable(String name, String meaning, boolean secret) {
  private Variable(String name, String meaning) {
    this(name, meaning, false);
  }

  /**
   * Those that commands and programs look at; what Parley sets for its own children is not here.
   */
  static final List<Variable> ALL =
      List.of(
          new Variable("PARLEY_AGENT", "who you are"),
          new Variable("PARLEY_BUS", "which bus: a folder, or design:folder"),
          new Variable("PARLEY_SESSION", "the session that a command goes on with", true),
          new Variable("PARLEY_STATE", "the folder of what you trust and of sessions"),
          new Variable("PARLEY_TRUST", "buses that are accepted without being registered"),
          new Variable("PARLEY_TASK", "the task that progress and commits belong to"),
          new Variable("PARLEY_BULLETIN", "the wave that bulletin means"),
          new Variable("PARLEY_BODY_BYTES", "how much of a body is shown at once (8192)"),
          new Variable("PARLEY_MAX_FINDINGS", "how many findings of one kind are told"),
          new Variable("PARLEY_DURABILITY", "os: survives the process; disk: synced first (os)"),
          new Variable("PARLEY_NETWORK_FS", "allow: use a bus on a network file system"),
          new Variable("PARLEY_OPEN_TOPICS", "how many topics are kept open for appending"),
          new Variable("PARLEY_READ_TOPICS", "how many topics are kept open for reading"),
          new Variable("PARLEY_MAX_PENDING", "how many messages may be pending"),
          new Variable("PARLEY_DEBUG", "1: show where an error comes from"),
          new Variable("PARLEY_JAVA_HOME", "the JDK to run on"),
          new Variable("PARLEY_JDK_DIRS", "where to look for a JDK"),
          new Variable("PARLEY_JAVA_OPTS", "options for the JVM"),
          new Variable("NO_COLOR", "no colours"),
          new Variable("BUS_DIR", "Conclave: its bus folder"),
          new Variable("BUS_POLL_INTERVAL", "Conclave: how often a folder is looked at (100ms)"),
          new Variable("BUS_POLL_MAX_INTERVAL", "Conclave: how seldom at most (1s)"),
          new Variable("BUS_MAX_BOARD_INJECT", "how many bulletin messages a worker is given (20)"),
          new Variable("CONSENSUS_STAGE1_TIMEOUT", "consensus: time of an analysis (60s)"),
          new Variable("CONSENSUS_STAGE2_TIMEOUT", "consensus: time of the synthesis (60s)"),
          new Variable("CONSENSUS_DEBATE_ROUNDS", "consensus: rounds of debate, 1 or 2 (1)"),
          new Variable("CONSENSUS_DEBATE_TIMEOUT", "consensus: time of a rebuttal (60s)"),
          new Variable("RALPH_TIMEOUT_IMPLEMENT", "loop: time of an agent's turn (5m)"),
          new Variable("RALPH_TIMEOUT_TEST", "loop: time of tests and other gates (2m)"),
          new Variable("RALPH_TIMEOUT_SPEC", "loop: time of the reviewer (2m)"),
          new Variable("RALPH_TIMEOUT_GLOBAL", "loop: time of one task in all (1h)"),
          new Variable("RALPH_STUCK_THRESHOLD", "loop: failures before another way (3)"),
          new Variable("PARALLEL_MAX_CONCURRENT", "waves: how many tasks at a time (3)"),
          new Variable("PARALLEL_WORKTREE_DIR", "waves: where worktrees are made (.worktrees)"),
          new Variable("PARALLEL_MAX_CONFLICT_RERUNS", "waves: how often after a conflict (2)"));
}
