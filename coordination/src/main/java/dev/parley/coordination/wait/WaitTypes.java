package dev.parley.coordination.wait;

/** The types of envelopes about waits. */
public final class WaitTypes {
  /** A session begins to wait for something; refused if that closed a circle. */
  public static final String BEGIN = "wait.begin";

  /** A session waits no more. */
  public static final String END = "wait.end";

  /** Another tool says that a session waits. It is recorded even if it closes a circle. */
  public static final String REPORT = "wait.report";

  private WaitTypes() {}
}
