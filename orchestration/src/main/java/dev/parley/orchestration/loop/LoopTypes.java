package dev.parley.orchestration.loop;

/** The types of envelopes that loops write to the topic of their run. */
public final class LoopTypes {
  /** What a gate said, as the runner saw it. */
  public static final String GATE = "gate.result";

  /** An iteration begins: all that is needed to begin it again. */
  public static final String ITERATION = "loop.iteration";

  /** A loop is over. */
  public static final String END = "loop.end";

  private LoopTypes() {}
}
