package dev.parley.orchestration.consensus;

/** The types of envelopes in {@code consensus.<session>.debate}, as the design names them. */
public final class ConsensusTypes {
  /** The thesis of an agent. */
  public static final String FINDING = "debate.finding";

  /** What an agent says to the theses of the others. */
  public static final String REBUTTAL = "debate.rebuttal";

  private ConsensusTypes() {}
}
