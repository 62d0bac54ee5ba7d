package dev.parley.coordination.wait;

/** The types of envelopes about waits. */
public final class WaitTypes {
  /** A session begins to wait for something; refused if that would close a cycle. */
  public static final String BEGIN = "wait.begin";

  /** A session ends its wait. */
  public static final String END = "wait.end";

  /** Another tool reports a wait. It is recorded even if it closes a cycle. */
  public static final String REPORT = "wait.report";

  private WaitTypes() {}
}
