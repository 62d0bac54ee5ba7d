package dev.parley.orchestration.moderate;

/** What the agents of a project are called on the bus; a name may have been taken. */
record Names(String moderator, String techlead) {
  /** Who is told that agents are ready. */
  static final String ORCHESTRATOR = "orchestrator";
}
