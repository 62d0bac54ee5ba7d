package dev.parley.coordination.wake;

/** The types of envelopes in the topic of an agent's wakes. */
public final class WakeTypes {
  /** States how the agent can be woken from now on. */
  public static final String WAY = "wake.way";

  /** The waker asks whether it may wake the agent. */
  public static final String REQUEST = "wake.request";

  /** The agent's host has taken the notice. */
  public static final String DELIVERED = "wake.delivered";

  /** The agent has acted since the notice. */
  public static final String WOKEN = "wake.woken";

  public static final String FAILED = "wake.failed";
  public static final String LIMITS = "wake.limits";

  private WakeTypes() {}
}
