package dev.parley.orchestration.ask;

/** Asks agents. Safe for use by many threads. */
public interface Asker {
  /**
   * Asks, and waits for the answer. A failure of the agent is an answer, not an exception.
   *
   * @throws InterruptedException if the caller is interrupted; what was started is ended first
   * @throws dev.parley.core.ParleyException INVALID if there is no such agent; REFUSED if a limit
   *     of the run is reached
   */
  Answer ask(Ask ask) throws InterruptedException;
}
