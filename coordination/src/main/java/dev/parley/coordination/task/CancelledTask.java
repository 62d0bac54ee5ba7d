package dev.parley.coordination.task;

import dev.parley.coordination.fold.Outcome;
import dev.parley.core.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A task that was cancelled.
 *
 * @param owner the agent that had claimed it; null if none had
 * @param skips the tasks that won't be done because of it
 */
public record CancelledTask(String task, @Nullable String owner, List<String> skips)
    implements Outcome.Accepted {
  @Override
  public Json what() {
    return Json.object()
        .put("task", task)
        .put("owner", owner)
        .put("skips", Json.ofStrings(skips))
        .build();
  }
}
