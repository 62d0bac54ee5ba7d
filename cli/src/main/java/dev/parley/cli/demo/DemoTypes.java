package dev.parley.cli.demo;

/** The types of envelopes that only the demo writes. */
public final class DemoTypes {
  /** A process of the demo was killed. */
  public static final String KILLED = "demo.killed";

  private DemoTypes() {}
}
