package dev.parley.orchestration.ask;

/** The types of envelopes about runs; each run has the topic {@code runs.<run>}. */
public final class RunTypes {
  public static final String START = "run.start";

  /** Another process resumes a run. */
  public static final String RESUME = "run.resume";

  /** A recorded decision, which a resumed run must repeat. */
  public static final String NOTE = "run.note";

  /** A request to stop the run. */
  public static final String STOP = "run.stop";

  public static final String END = "run.end";

  public static final String ASK = "ask.start";
  public static final String ANSWER = "ask.end";

  private RunTypes() {}
}
