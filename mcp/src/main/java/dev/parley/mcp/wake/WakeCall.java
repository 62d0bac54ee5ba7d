package dev.parley.mcp.wake;

/** Gives a notice to an agent's host, in one of the ways there are. */
public interface WakeCall {
  /**
   * Gives it the notice. Once it returns, the host has it.
   *
   * @throws CannotWakeException if the host did not take it
   */
  void wake(String notice) throws InterruptedException, CannotWakeException;
}
