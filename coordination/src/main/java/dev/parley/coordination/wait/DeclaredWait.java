package dev.parley.coordination.wait;

import dev.parley.coordination.fold.Outcome;
import dev.parley.core.json.Json;
import java.util.List;

/**
 * The answer to a request to wait.
 *
 * @param position of the wait, which identifies it; 0 if there is nothing to wait for
 * @param toward the nodes of the wait graph that it leads to
 */
public record DeclaredWait(long position, List<String> toward) implements Outcome.Accepted {
  /** The target is free, done or gone already. */
  public static final DeclaredWait OVER = new DeclaredWait(0, List.of());

  @Override
  public Json what() {
    return position == 0
        ? Json.object().put("over", true).build()
        : Json.object().put("waiting", position).put("for", Json.ofStrings(toward)).build();
  }
}
