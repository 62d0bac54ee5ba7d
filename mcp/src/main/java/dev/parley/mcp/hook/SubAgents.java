package dev.parley.mcp.hook;

import dev.parley.mcp.tools.AgentContext;

/** An agent's sub-agents. Each has a name and a session of its own on the bus. */
public interface SubAgents {
  /** How many characters of the host's id a sub-agent's name has. */
  int ID_CHARACTERS = 8;

  /** The name of a sub-agent on the roster. */
  static String name(String agent, String id) {
    String safe = id.replaceAll("[^A-Za-z0-9_-]", "");
    return agent
        + "."
        + (safe.isEmpty() ? "sub" : safe.substring(0, Math.min(ID_CHARACTERS, safe.length())));
  }

  /** The joined sub-agent with this id of the host. */
  AgentContext joined(String id);

  /** Ends its session, which releases its leases. */
  void end(String id);
}
