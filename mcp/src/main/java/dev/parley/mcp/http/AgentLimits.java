package dev.parley.mcp.http;

/**
 * What each agent may do at most. An agent that goes over its own limits takes nothing from others.
 *
 * @param perSecond requests in a second; after a pause, up to twice as many at once
 * @param open requests that wait for their answer, or hold a stream open
 * @param bytes the size of a request
 * @param clients connected clients of the handshake era; the one that was silent for longest is
 *     dropped for another
 */
public record AgentLimits(int perSecond, int open, int bytes, int clients) {
  /** A request may be as long as the longest line, fully escaped. */
  public static final AgentLimits DEFAULT = new AgentLimits(2_000, 256, 4 << 20, 100);
}
