package dev.parley.orchestration.consensus;

/** The envelope types in {@code consensus.<session>.debate}, with Conclave's names. */
public final class ConsensusTypes {
  /** An agent's thesis. */
  public static final String FINDING = "debate.finding";

  /** An agent's reply to the others' theses. */
  public static final String REBUTTAL = "debate.rebuttal";

  private ConsensusTypes() {}
}
