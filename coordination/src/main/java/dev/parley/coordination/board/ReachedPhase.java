package dev.parley.coordination.board;

import dev.parley.coordination.fold.Outcome;
import dev.parley.core.json.Json;

/**
 * The phase of a session right after a request was accepted.
 *
 * @param round of the discussion; 0 in other phases
 */
public record ReachedPhase(String board, Phase phase, int round) implements Outcome.Accepted {
  @Override
  public Json what() {
    Json.ObjectBuilder what = Json.object().put("board", board).put("phase", phase.name());
    return (phase == Phase.DISCUSS ? what.put("round", round) : what).build();
  }
}
