package dev.parley.coordination.lease;

import dev.parley.coordination.fold.Outcome;
import dev.parley.core.json.Json;
import java.util.List;

/**
 * A lease request that waits in line.
 *
 * @param position of the request
 * @param behind the agents whose leases or earlier requests block it
 */
public record QueuedRequest(long position, List<String> behind) implements Outcome.Accepted {
  @Override
  public Json what() {
    return Json.object().put("waiting", position).put("for", Json.ofStrings(behind)).build();
  }
}
