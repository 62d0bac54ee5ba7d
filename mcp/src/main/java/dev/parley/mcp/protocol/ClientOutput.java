package dev.parley.mcp.protocol;

import dev.parley.core.json.Json;

/** Sends messages to a client. */
public interface ClientOutput {
  /** An outlet without a client. */
  ClientOutput NONE = message -> false;

  /**
   * Sends a message.
   *
   * @return false if the client is gone
   */
  boolean send(Json message);
}
