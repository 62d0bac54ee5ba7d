package dev.parley.orchestration.ask;

/** The types of envelopes about runs; each run has the topic {@code runs.<run>}. */
public final class RunTypes {
  public static final String START = "run.start";

  /** Another process goes on with a run. */
  public static final String RESUME = "run.resume";

  /** Something that was decided and must be the same when the run is resumed. */
  public static final String NOTE = "run.note";

  /** Somebody wants the run to stop. */
  public static final String STOP = "run.stop";

  public static final String END = "run.end";

  public static final String ASK = "ask.start";
  public static final String ANSWER = "ask.end";

  private RunTypes() {}
}
