package dev.parley.mcp.tools;

import dev.parley.Agent;
import java.util.function.Supplier;

/**
 * Provides the agent. Its session may end while the server runs: after a leave, or after too long a
 * silence. Then it joins again under the same name.
 *
 * <p>Safe for use by many threads.
 */
public final class AgentSource {
  private final Supplier<Agent> join;
  private Agent agent;

  /**
   * Joins.
   *
   * @param join begins or resumes the session
   */
  public AgentSource(Supplier<Agent> join) {
    this.join = join;
    this.agent = join.get();
  }

  public synchronized Agent agent() {
    return agent;
  }

  /**
   * Joins again, unless another thread has done so.
   *
   * @param ended the agent whose session has ended
   */
  synchronized void again(Agent ended) {
    if (agent == ended) {
      agent = join.get();
    }
  }
}
