package dev.parley.orchestration.moderate;

/** The bus names of a project's agents, which differ from the usual ones if those are taken. */
record ProjectNames(String moderator, String techlead) {
  /** The recipient of the message that agents are ready. */
  static final String ORCHESTRATOR = "orchestrator";
}
