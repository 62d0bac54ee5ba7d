package dev.parley.mcp.protocol;

import dev.parley.core.json.Json;

/** Where messages to the client go. */
public interface Outlet {
  /** A client that listens to nothing. */
  Outlet NONE = message -> false;

  /**
   * Sends a message.
   *
   * @return false if the client is gone
   */
  boolean send(Json message);
}
