package dev.parley.mcp.tools;

import dev.parley.Agent;
import java.util.function.Supplier;

/**
 * The agent that somebody speaks for. Its session may end while its server goes on: by a leave, or
 * because it was silent for too long. Then it is begun again under the same name.
 *
 * <p>Safe for use by many threads.
 */
public final class AgentSource {
  private final Supplier<Agent> join;
  private Agent agent;

  /**
   * The agent, joined.
   *
   * @param join begins or resumes its session
   */
  public AgentSource(Supplier<Agent> join) {
    this.join = join;
    this.agent = join.get();
  }

  public synchronized Agent agent() {
    return agent;
  }

  /**
   * Begins its session again, unless somebody has done so meanwhile.
   *
   * @param ended the one whose session has ended
   */
  synchronized void again(Agent ended) {
    if (agent == ended) {
      agent = join.get();
    }
  }
}
