package dev.parley.mcp.wake;

/** Delivers a notice to an agent's host in one way. */
public interface WakeCall {
  /**
   * Delivers the notice. When this returns, the host has it.
   *
   * @throws CannotWakeException if the host did not accept it
   */
  void wake(String notice) throws InterruptedException, CannotWakeException;
}
