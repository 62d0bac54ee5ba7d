package dev.parley.coordination.task;

import dev.parley.coordination.fold.Outcome;
import dev.parley.core.json.Json;
import java.util.List;

/**
 * A task that has failed.
 *
 * @param retry whether it may be tried again
 * @param skips the tasks that won't be done because of it
 */
public record FailedTask(String task, boolean retry, List<String> skips)
    implements Outcome.Accepted {
  @Override
  public Json what() {
    return Json.object()
        .put("task", task)
        .put("retry", retry)
        .put("skips", Json.ofStrings(skips))
        .build();
  }
}
