package dev.parley.cli.mcp;

import dev.parley.Parley;
import dev.parley.coordination.ledger.Session;
import dev.parley.coordination.ledger.Sessions;
import dev.parley.mcp.hook.SubAgents;
import dev.parley.mcp.tools.AgentContext;
import dev.parley.mcp.tools.AgentSource;
import dev.parley.session.Caller;
import dev.parley.session.SessionFinder;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sub-agents whose sessions outlive this process: some hooks of a host are commands and some are
 * calls of its server, and a sub-agent must be the same one for all of them.
 */
public final class HostSubAgents implements SubAgents {
  private final AgentContext agent;
  private final Sessions sessions;
  private final Map<String, AgentContext> joined = new ConcurrentHashMap<>();

  public HostSubAgents(AgentContext agent, Sessions sessions) {
    this.agent = agent;
    this.sessions = sessions;
  }

  @Override
  public AgentContext joined(String id) {
    return joined.computeIfAbsent(name(id), this::join);
  }

  private AgentContext join(String name) {
    Parley parley = agent.parley();
    Path bus = agent.busFolder();
    Path folder = Path.of(agent.tree().name());
    return new AgentContext(
        parley,
        new AgentSource(() -> HostAgent.byCredential(parley, sessions, bus, name, folder)),
        agent.tree(),
        bus);
  }

  @Override
  public void end(String id) {
    String name = name(id);
    joined.remove(name);
    Caller caller = new Caller(name, Map.of(), Path.of(agent.tree().name()));
    SessionFinder finder = new SessionFinder(sessions, agent.busFolder(), caller);
    Session session = finder.existing();
    if (session != null) {
      sessions.leave(session, "its work is done");
      finder.forget(session);
    }
  }

  private String name(String id) {
    return SubAgents.name(agent.agent().name(), id);
  }
}
