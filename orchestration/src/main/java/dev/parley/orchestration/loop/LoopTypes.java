package dev.parley.orchestration.loop;

/** The types of envelopes that loops write to the topic of their run. */
public final class LoopTypes {
  /** What a gate said, as the runner saw it. */
  public static final String GATE = "gate.result";

  /** An iteration begins: all that is needed to begin it again. */
  public static final String ITERATION = "loop.iteration";

  /** The session of a loop begins; it is ended when the run is resumed. */
  public static final String SESSION = "loop.session";

  /** A loop is over. */
  public static final String END = "loop.end";

  private LoopTypes() {}
}
