package dev.parley.mcp.hook;

import dev.parley.mcp.tools.AgentContext;
import dev.parley.mcp.tools.AgentSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Sub-agents whose sessions are kept by this process. */
public final class JoinedSubAgents implements SubAgents {
  private final AgentContext agent;
  private final Map<String, AgentContext> joined = new ConcurrentHashMap<>();

  public JoinedSubAgents(AgentContext agent) {
    this.agent = agent;
  }

  @Override
  public AgentContext joined(String id) {
    return joined.computeIfAbsent(id, this::join);
  }

  private AgentContext join(String id) {
    String name = SubAgents.name(agent.agent().name(), id);
    return new AgentContext(
        agent.parley(),
        new AgentSource(() -> agent.parley().join(name)),
        agent.tree(),
        agent.busFolder());
  }

  @Override
  public void end(String id) {
    AgentContext ended = joined.remove(id);
    if (ended != null) {
      ended.agent().close();
    }
  }
}
