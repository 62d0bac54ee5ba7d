package dev.parley.mcp.http;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts the requests of each agent that are not answered yet. */
final class UnansweredRequests {
  private final int most;
  private final Map<String, Integer> open = new ConcurrentHashMap<>();

  UnansweredRequests(int most) {
    this.most = most;
  }

  /** Counts one more, unless the agent has as many as it may; then false. */
  boolean begin(String agent) {
    int[] before = new int[1];
    open.compute(
        agent,
        (_, count) -> {
          before[0] = count == null ? 0 : count;
          return Math.min(before[0] + 1, most);
        });
    return before[0] < most;
  }

  void end(String agent) {
    open.computeIfPresent(agent, (_, count) -> count == 1 ? null : count - 1);
  }
}
