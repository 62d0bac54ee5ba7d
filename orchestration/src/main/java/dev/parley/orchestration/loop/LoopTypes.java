package dev.parley.orchestration.loop;

/** The envelope types that loops write to the topic of their run. */
public final class LoopTypes {
  /** The evidence of a gate. */
  public static final String GATE = "gate.result";

  /** An iteration begins, with everything needed to resume there. */
  public static final String ITERATION = "loop.iteration";

  /** A loop's bus session begins; a resumed run ends it. */
  public static final String SESSION = "loop.session";

  /** A loop is over. */
  public static final String END = "loop.end";

  private LoopTypes() {}
}
