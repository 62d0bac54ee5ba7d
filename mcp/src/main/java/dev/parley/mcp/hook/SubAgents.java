package dev.parley.mcp.hook;

import dev.parley.mcp.tools.AgentContext;

/** The sub-agents of an agent, which are told apart on the bus: each is somebody of its own. */
public interface SubAgents {
  /** How many characters of the host's id are in the name of a sub-agent. */
  int ID_CHARACTERS = 8;

  /** The name of a sub-agent on the roster. */
  static String name(String agent, String id) {
    String safe = id.replaceAll("[^A-Za-z0-9_-]", "");
    return agent
        + "."
        + (safe.isEmpty() ? "sub" : safe.substring(0, Math.min(ID_CHARACTERS, safe.length())));
  }

  /** The sub-agent with this id of the host, joined. */
  AgentContext joined(String id);

  /** Ends its session: what it held is free. */
  void end(String id);
}
